import { defineConfig, type OxlintOverride } from 'oxlint'

/**
 * Who may import whom: the architecture, executable. Each folder of src/ names the folders it may import; one that lies in
 * another may have a line of its own. The files at the root of src/ wire everything and may import all. Tests are free: they
 * build what they need around their subject.
 */
export const MAY_IMPORT = {
  core: [],
  files: [],
  config: ['core', 'files'],
  contract: ['core'],
  telemetry: ['core'],
  content: ['core', 'contract'],
  mail: ['core'],
  store: ['core', 'files', 'telemetry'],
  events: ['core', 'telemetry'],
  integrations: ['core', 'files', 'telemetry'],
  features: ['core', 'mail', 'telemetry'],
  smtp: ['core', 'features', 'telemetry'],
  web: ['core', 'contract'],
  // A browser that reads mail itself does so with the code of the server (docs/decisions/016).
  'web/private': ['core', 'contract', 'mail'],
  http: ['core', 'content', 'contract', 'features', 'telemetry', 'web'],
  cli: ['core', 'features'],
} satisfies Record<string, string[]>

/** Parts that belong to one folder, so that they can be replaced there. */
const BELONGS_TO: Record<string, string[]> = {
  store: ['node:sqlite', 'kysely', 'pg'],
  mail: ['postal-mime', 'mailauth', 'sanitize-html', 'htmlparser2', 'postcss'],
  http: ['fastify', '@fastify'],
  web: ['react', 'react-dom', 'lucide-react', 'icu-minify', 'vite', '@vitejs'],
  'web/private': ['fzstd', '@scure/bip39'],
  telemetry: ['pino', 'prom-client'],
  content: ['marked', '@formatjs', 'icu-minify'],
  smtp: ['selfsigned'],
  integrations: ['stripe'],
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
            {
              regex: `^(?:\\.\\./)+(?:${alternatives(folders.filter((other) => other !== folder))})/`,
              message: 'Across folders import by #folder/file.ts.',
            },
            {
              regex: String.raw`^(?:\.\./)+(?:main|assembly|servers|dev)\.ts$`,
              message: 'What wires is imported by nobody.',
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
  ignorePatterns: ['dist', 'bench/haraka'],
  rules: {
    'import/no-cycle': 'error',
    'node/no-process-env': 'error',
    'typescript/no-non-null-assertion': 'error',
    // The JSX transform of React 17 and later needs no import.
    'react/react-in-jsx-scope': 'off',
    // Meant for Express, whose handlers may not be async; Fastify's may.
    'oxc/no-async-endpoint-handlers': 'off',
    // Meant for windows; ours are worker threads.
    'unicorn/require-post-message-target-origin': 'off',
    // Blind to what changes through a closure or a property.
    'eslint/no-unmodified-loop-condition': 'off',
    // What the browser alone knows (storage, fragment, clock) is read after the first render, so that it is the server's.
    'react/set-state-in-effect': 'off',
    // `role="status"` on a paragraph says more than `output`.
    'jsx-a11y/prefer-tag-over-role': 'off',
    // A small function stands where it is used.
    'unicorn/consistent-function-scoping': 'off',
    'oxc/no-map-spread': 'off',
    'promise/always-return': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
  },
  overrides: [
    ...walls,
    {
      files: ['bin/**', 'src/config/load.ts', 'src/web/build.ts', 'src/dev.ts', 'test/**', 'bench/**'],
      rules: { 'node/no-process-env': 'off' },
    },
    {
      files: ['test/**', 'bench/**', '**/*.{test,suite}.{ts,tsx}', '**/testing.ts'],
      rules: {
        'no-restricted-imports': 'off',
        'eslint/no-await-in-loop': 'off',
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
