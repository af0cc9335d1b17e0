declare module 'mjml-browser' {
  type Options = typeof import('@reachout/contract/rules/mjml.ts').mjmlOptions;
  const compile: (mjml: string, options: Options) => Promise<{ html: string }>;
  export default compile;
}
