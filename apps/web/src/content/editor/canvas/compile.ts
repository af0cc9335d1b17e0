import compileWithMjml from 'mjml-browser';

/** Compiles MJML without Liquid as the server does (mjml-html.ts there). */
export const compileMjml = (mjml: string): Promise<{ html: string }> =>
  compileWithMjml(mjml, {
    ignoreIncludes: true,
    useMjmlConfigOptions: false,
    keepComments: false,
    minify: false,
    beautify: false,
    validationLevel: 'soft',
    fonts: {},
  });
