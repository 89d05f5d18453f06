import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import type { Part } from './locales/parts.ts'
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
          /^\/messages\/(?:(?<part>account|forwarding)\/)?(?<code>[\w-]+)\.dev\.json$/.exec(request.url ?? '')
            ?.groups ?? {}
        if (code === undefined) return next()
        void messageFile(code, (part ?? 'site') as Part).then((file) =>
          response.setHeader('content-type', 'application/json').end(file),
        )
      })
    },
    handleHotUpdate({ file, server }) {
      if (/\/locales\/[\w-]+\.json$/.test(file)) server.ws.send({ type: 'full-reload' })
    },
  }
}

const ICON = JSON.stringify(join(import.meta.dirname, 'src/web/components/icon.tsx'))

/** Lucide's pictures alone: its runtime weighs more than they do, and so do their names and keys together. */
function icons(): Plugin {
  return {
    name: 'mayfly:icons',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/lucide-react\/dist\/esm\/icons\/(?!index)[\w-]+\.m?js$/.test(id)) return null
      const node = /^ {2}node: (?<node>\[.*?\])(?:,\n {2}\w|\n\};)/ms.exec(code)?.groups?.node
      if (node === undefined) throw new Error(`${id} is not written as Lucide's icons were`)
      return `import createIcon from ${ICON}\nexport default createIcon(${node.replaceAll(/, key: "\w+"/g, '')})`
    },
  }
}

/** What every page shares, but for what few visitors open. Of the icons those come along that it imports itself. */
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler|icu-minify)\/|src\/web\/(?:components|hooks|i18n\/(?:text|messages|elsewhere|dates)|pages\/home|app\/(?:page|storage)\.|navigation\/payload-path|api\/api\.)|preload-helper/

const SELDOM =
  /dialog\.|open-here|account-api|hooks\/use-(?:escape|kept|loaded)|i18n\/price|home\/(?:premium-hint|switcher)|components\/(?:article-list|authenticity|choice|email-input|faq|field|language-offer|message-input|support-form)/

/** How long plugins took is nobody's business who starts the program. */
const QUIET = { checks: { bundlerTimings: false } }

/** Small, and wanted together: a file each would cost a page more in requests than in bytes. */
const FORMS =
  /src\/web\/components\/(?:choice|email-input|field|message-input|support-form)|src\/core\/operating\/support/

/** The same: each of them stands in a dialog. */
const DIALOGS = /src\/web\/(?:components\/(?:confirm-)?dialog|pages\/home\/(?:delete-dialog|recovery-dialog|open-here))/

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [messages(), icons(), react()],
  logLevel: 'warn',
  worker: { rolldownOptions: QUIET },
  css: {
    modules: { generateScopedName: `${mode === 'production' ? '' : '[name]_'}[local]_[hash:base64:4]` },
  },
  ...(mode === 'production'
    ? isSsrBuild
      ? // Bundled with its mode decided: else the server would run React's development build wherever NODE_ENV is not set.
        { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
      : // What React says to its developer tools is said while Vite serves the sources.
        { define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } }
    : {}),
  build: isSsrBuild
    ? { outDir: 'dist/server', copyPublicDir: false, emptyOutDir: true, rolldownOptions: QUIET }
    : {
        outDir: 'dist/client',
        manifest: true,
        cssCodeSplit: false,
        modulePreload: { polyfill: false },
        target: 'baseline-widely-available',
        // Slower than Vite's own, and 1 KB less of React.
        minify: 'terser',
        terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true } },
        rolldownOptions: {
          ...QUIET,
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
