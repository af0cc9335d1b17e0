declare module 'mjml-browser' {
  interface Options {
    ignoreIncludes: boolean;
    useMjmlConfigOptions: boolean;
    keepComments: boolean;
    minify: boolean;
    beautify: boolean;
    validationLevel: 'soft';
    fonts: Record<string, string>;
  }
  const compile: (mjml: string, options: Options) => Promise<{ html: string }>;
  export default compile;
}
