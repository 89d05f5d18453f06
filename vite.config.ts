import { readFile } from 'node:fs/promises'
import react from '@vitejs/plugin-react'
import compile from 'icu-minify/compile'
import { defineConfig, type Plugin } from 'vite'

/** Compiles ICU messages at build time, so that no parser travels to the browser. */
function messages(): Plugin {
  return {
    name: 'mayfly:messages',
    enforce: 'pre',
    async load(id) {
      if (!/\/locales\/[\w-]+\.json$/.test(id)) return null
      const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
      // A text that a language lacks is shown in English; `npm run languages` sees to it that none does.
      const texts = Object.entries({ ...(await read(id.replace(/[\w-]+\.json$/, 'en.json'))), ...(await read(id)) })
      // Only the server writes those.
      const wanted =
        this.environment.name === 'client' ? texts.filter(([key]) => !/Description$|Keywords$/.test(key)) : texts
      const compiled = Object.fromEntries(wanted.map(([key, text]) => [key, compile(text)]))
      return { code: `export default ${JSON.stringify(compiled)}`, moduleType: 'js' }
    },
  }
}

/** What every page shares, but for what few visitors open. */
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler|icu-minify|lucide-react)\/|src\/web\/(?:components|hooks|i18n|pages\/home|page\.|api\.)|preload-helper/

const SELDOM = /dialog\.|open-here|components\/(?:article-list|faq|field)/

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [messages(), react()],
  logLevel: 'warn',
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  // Bundled with its mode decided: else the server would run React's development build wherever NODE_ENV is not set.
  ...(isSsrBuild && mode === 'production'
    ? { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
    : {}),
  build: isSsrBuild
    ? { outDir: 'dist/server', copyPublicDir: false, emptyOutDir: true }
    : {
        outDir: 'dist/client',
        manifest: true,
        cssCodeSplit: false,
        modulePreload: { polyfill: false },
        target: 'baseline-widely-available',
        rolldownOptions: {
          input: 'src/web/entry.client.tsx',
          // One file for what every page shares, not one for each pair of pages that share a button.
          output: {
            codeSplitting: { groups: [{ name: 'shared', test: (id) => SHARED.test(id) && !SELDOM.test(id) }] },
          },
        },
      },
}))
