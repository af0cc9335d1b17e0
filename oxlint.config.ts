import { defineConfig } from 'oxlint';
import { importRules } from './scripts/import-rules.ts';

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise', 'react', 'jsx-a11y'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['**/routeTree.gen.ts', '**/types.gen.ts', 'apps/web/dist', 'packages/tracker/dist'],
  rules: {
    'no-eval': 'error',
    'no-new-func': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [
          {
            from: 'package',
            package: 'node:test',
            name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
          },
        ],
      },
    ],
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-misused-promises': 'error',
    'import/no-unassigned-import': 'off',
    'react/react-in-jsx-scope': 'off',
    'no-await-in-loop': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    {
      // What is longer is divided by what it shows or does; a list or a closure says above its first line why it is not.
      files: ['apps/**', 'packages/**', 'scripts/**'],
      rules: { 'max-lines-per-function': ['error', { max: 100 }] },
    },
    { files: ['**/*.tsx'], rules: { 'max-lines-per-function': ['error', { max: 150 }] } },
    // Suites of tests are lists.
    { files: ['**/*.test.ts'], rules: { 'max-lines-per-function': 'off' } },
    {
      files: ['apps/web/**'],
      rules: {
        // Columns and cards take render functions for their cells; these are no components.
        'react/no-unstable-nested-components': 'off',
        // `output`, `img` and `progress` do not fit for live regions, icons and bars with several parts.
        'jsx-a11y/prefer-tag-over-role': 'off',
        // The default export is the instance that the app initializes.
        'import/no-named-as-default-member': 'off',
      },
    },
    ...importRules(),
  ],
});
