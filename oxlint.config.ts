import { defineConfig, type OxlintOverride } from 'oxlint'

/**
 * The allowed imports. Each folder of src/ lists the folders that it may import; a subfolder may have a separate line.
 * Each folder of features/ is imported through its index.ts. The files at the root of src/ start the program and may
 * import everything. So may tests.
 */
const FEATURES = {
  account: ['billing', 'email', 'forwarding', 'mailbox'],
  billing: ['email'],
  compat: ['mailbox'],
  email: [],
  forwarding: ['email', 'mailbox'],
  mailbox: [],
  operating: ['email', 'receiving'],
  'own-domains': ['mailbox'],
  private: ['account', 'mailbox'],
  push: ['mailbox'],
  receiving: ['forwarding', 'mailbox', 'own-domains'],
  webhooks: ['mailbox'],
} satisfies Record<string, string[]>
const feature = (name: string): string => `features/${name}`
const features = Object.keys(FEATURES).map(feature)

const SHARED = {
  core: [],
  files: [],
  config: ['core', 'files'],
  contract: ['core'],
  telemetry: ['core'],
  content: ['core', 'contract'],
  lib: ['core'],
  mail: ['core'],
  store: ['core', 'files', 'telemetry'],
  events: ['core', 'telemetry'],
  integrations: ['core', 'files', 'telemetry'],
  smtp: ['core', 'features/receiving', 'telemetry'],
  web: ['core', 'contract'],
  // The browser reads private messages with the server's code (docs/decisions/016-private-addresses.md).
  'web/private': ['core', 'contract', 'mail'],
  http: ['core', 'content', 'contract', 'lib', 'telemetry', 'web', ...features],
  mcp: ['mail'],
  demo: ['core', 'features/billing'],
  cli: [
    'core',
    'features/account',
    'features/billing',
    'features/email',
    'features/mailbox',
    'features/operating',
    'features/webhooks',
    'files',
    'mcp',
  ],
} satisfies Record<string, string[]>

export const MAY_IMPORT: Record<string, string[]> = {
  ...SHARED,
  ...Object.fromEntries(
    Object.entries(FEATURES).map(([name, others]) => [
      feature(name),
      ['core', 'lib', 'mail', 'telemetry', ...others.map(feature)],
    ]),
  ),
  composition: [...Object.keys(SHARED), ...features],
}

/** Libraries that only one folder may import, so that they can be replaced there. */
const BELONGS_TO: Record<string, string[]> = {
  store: ['node:sqlite', 'kysely', 'pg'],
  mail: ['postal-mime', 'mailauth', 'sanitize-html', 'htmlparser2', 'entities', 'postcss'],
  http: ['fastify', '@fastify'],
  web: ['react', 'react-dom', 'lucide-react', 'icu-minify', 'vite', '@vitejs'],
  'web/private': ['fzstd', '@scure/bip39'],
  telemetry: ['pino', 'prom-client'],
  content: ['marked', '@formatjs', 'icu-minify'],
  smtp: ['selfsigned'],
  integrations: ['stripe', 'web-push'],
  mcp: ['@modelcontextprotocol'],
}

const folders = Object.keys(MAY_IMPORT)
const alternatives = (names: string[]) => names.map((name) => name.replaceAll('/', String.raw`\/`)).join('|')

const walls: OxlintOverride[] = Object.entries(MAY_IMPORT).map(([folder, allowed]: [string, string[]]) => {
  const barred = folders.filter((other) => other !== folder && !allowed.includes(other))
  const own = BELONGS_TO[folder] ?? []
  const foreign = Object.values(BELONGS_TO).flatMap((parts) => parts.filter((part) => !own.includes(part)))
  return {
    files: [`src/${folder}/**/*.{ts,tsx}`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: `^#(?:${alternatives([...barred, 'test'])})/`,
              message: `${folder} may import ${allowed.join(', ') || 'no other folder'}.`,
            },
            { regex: `^#${folder}/`, message: 'Inside a folder import by a relative path.' },
            { regex: String.raw`^#features/[^/]+/(?!index\.ts$)`, message: 'Import a feature through its index.ts.' },
            {
              regex: folder.startsWith('features/')
                ? String.raw`^\.\./`
                : `^(?:\\.\\./)+(?:${alternatives(folders.filter((other) => other !== folder))})/`,
              message: 'Across folders import by #folder/file.ts.',
            },
            {
              regex: String.raw`^(?:\.\./)+(?:main|dev)\.ts$`,
              message: 'Nobody imports the files that start the program.',
            },
            { regex: `^(?:${alternatives(foreign)})(?:$|/)`, message: 'This part belongs to another folder.' },
          ],
        },
      ],
    },
  }
})

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y', 'promise', 'node', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['dist', 'packages/*/dist', 'bench/haraka'],
  rules: {
    'import/no-cycle': 'error',
    'node/no-process-env': 'error',
    'typescript/no-non-null-assertion': 'error',
    // The JSX transform of React 17 and later needs no import.
    'react/react-in-jsx-scope': 'off',
    // Intended for Express, whose handlers may not be async. Fastify's may.
    'oxc/no-async-endpoint-handlers': 'off',
    // Intended for windows. Ours are worker threads.
    'unicorn/require-post-message-target-origin': 'off',
    // Sequential awaits are intentional. Where tasks may run at once, the code uses Promise.all.
    'eslint/no-await-in-loop': 'off',
    // Does not see changes through closures and properties.
    'eslint/no-unmodified-loop-condition': 'off',
    // State that only the browser has (storage, fragment, clock) is read after the first render, which must equal the server's.
    'react/set-state-in-effect': 'off',
    // `role="status"` on a paragraph is more precise than `output`.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // Small functions stay beside their use.
    'unicorn/consistent-function-scoping': 'off',
    'oxc/no-map-spread': 'off',
    'promise/always-return': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
  },
  overrides: [
    ...walls,
    {
      files: [
        'bin/**',
        'src/config/load.ts',
        'src/web/build/build.ts',
        'packages/extension/src/build/build.ts',
        'src/dev.ts',
        'vitest.config.ts',
        'test/**',
        'bench/**',
        'packages/*/sample/**',
      ],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['test/**', 'bench/**', '**/*.{test,suite}.{ts,tsx}', '**/testing.ts'],
      rules: {
        'no-restricted-imports': 'off',
        'eslint/no-new': 'off',
        'eslint/no-underscore-dangle': 'off',
        'typescript/no-non-null-assertion': 'off',
        'promise/no-promise-in-callback': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-standalone-expect': 'off',
        'vitest/expect-expect': 'off',
        'vitest/require-mock-type-parameters': 'off',
        'vitest/require-to-throw-message': 'off',
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
      },
    },
  ],
})
