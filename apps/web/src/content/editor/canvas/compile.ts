import { mjmlOptions } from '@reachout/contract/rules/mjml.ts';
import compileWithMjml from 'mjml-browser';

/** Compiles MJML without Liquid as the server does. */
export const compileMjml = (mjml: string): Promise<{ html: string }> => compileWithMjml(mjml, mjmlOptions);
