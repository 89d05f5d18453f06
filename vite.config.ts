import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compileMessages, messageFile } from './src/web/i18n/compile.ts'

/** Messages with ICU compiled: bundled for the server; for the browser the build writes a file a language, as this serves them meanwhile. */
function messages(): Plugin {
  return {
    name: 'mayfly:messages',
    enforce: 'pre',
    async load(id) {
      const code = /\/locales\/(?<code>[\w-]+)\.json$/.exec(id)?.groups?.code
      return code ? { code: `export default ${JSON.stringify(await compileMessages(code))}`, moduleType: 'js' } : null
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { part, code } =
          /^\/messages\/(?<part>account\/)?(?<code>[\w-]+)\.dev\.json$/.exec(request.url ?? '')?.groups ?? {}
        if (code === undefined) return next()
        void messageFile(code, part === undefined ? 'site' : 'account').then((file) =>
          response.setHeader('content-type', 'application/json').end(file),
        )
      })
    },
    handleHotUpdate({ file, server }) {
      if (/\/locales\/[\w-]+\.json$/.test(file)) server.ws.send({ type: 'full-reload' })
    },
  }
}

/** Lucide's pictures without its runtime, which weighs more than they do. */
function icons(): Plugin {
  return {
    name: 'mayfly:icons',
    enforce: 'pre',
    load: (id) =>
      /lucide-react\/dist\/esm\/createLucideIcon\.m?js$/.test(id)
        ? `export { default } from ${JSON.stringify(join(import.meta.dirname, 'src/web/components/icon.tsx'))}`
        : null,
  }
}

/** What every page shares, but for what few visitors open. */
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler|icu-minify|lucide-react)\/|src\/web\/(?:components|hooks|i18n\/(?:text|messages|elsewhere|dates)|pages\/home|page\.|payload-path|storage|api\.)|preload-helper/

const SELDOM =
  /dialog\.|open-here|account-api|hooks\/use-(?:escape|kept|loaded)|i18n\/price|home\/(?:premium-hint|switcher)|components\/(?:article-list|authenticity|choice|email-input|faq|field|language-offer|message-input|support-form)/

/** Small, and wanted together: a file each would cost a page more in requests than in bytes. */
const FORMS = /src\/web\/components\/(?:choice|email-input|field|message-input|support-form)|src\/core\/support/

/** The same: each of them stands in a dialog. */
const DIALOGS = /src\/web\/(?:components\/(?:confirm-)?dialog|pages\/home\/(?:delete-dialog|recovery-dialog|open-here))/

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [messages(), icons(), react()],
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
        // Slower than Vite's own, and 1 KB less of React.
        minify: 'terser',
        terserOptions: { module: true, compress: { passes: 3, pure_getters: true } },
        rolldownOptions: {
          input: 'src/web/entry.client.tsx',
          // One file for what every page shares, and one for forms: not one for each pair of pages that share a button.
          output: {
            codeSplitting: {
              groups: [
                { name: 'shared', test: (id) => SHARED.test(id) && !SELDOM.test(id) },
                { name: 'forms', test: FORMS },
                { name: 'dialogs', test: DIALOGS },
              ],
            },
          },
        },
      },
}))
