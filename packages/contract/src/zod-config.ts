import { config, type core } from 'zod';

// Settings of all schemas, on the server and in browsers. Modules that make schemas import this before all others.

config({
  // The pages of the web app run no code that is made of text: the attempt alone would be reported as a violation.
  ...('document' in globalThis && { jitless: true }),
  // What is wrong with a value whose schema has no words of its own, for the people who wrote the request or the form.
  customError: describeIssue,
});

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const units: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
};

const formats: Readonly<Record<string, string>> = {
  email: 'Enter an email address such as name@example.com.',
  url: 'Enter a web address such as https://example.com.',
  uuid: 'This is not a valid id.',
  datetime: 'Use a time such as 2026-03-01T08:00:00Z.',
  date: 'Use a date such as 2026-03-01.',
};

function describeIssue(issue: core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This is required.';
      return `This must be ${kinds[issue.expected] ?? 'of another kind'}.`;
    case 'invalid_value':
      if (issue.input === undefined) return 'This is required.';
      return `Use ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'This is required.';
      return `Use ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${units[issue.origin] ?? ''}.`;
    case 'too_big':
      return `Use ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${units[issue.origin] ?? ''}.`;
    case 'invalid_format':
      return formats[issue.format] ?? 'This is not in the expected format.';
    case 'invalid_union':
      return issue.input === undefined ? 'This is required.' : 'This has none of the accepted forms.';
    case 'not_multiple_of':
      return `Use a multiple of ${issue.divisor}.`;
    default:
      return undefined;
  }
}
