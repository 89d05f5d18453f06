import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { type Part, PARTS } from './locales/parts.ts'
import { shortNames } from './src/web/build/class-names.ts'
import { pdfFile } from './src/web/build/pdf.ts'
import { REFERENCE_SCRIPT, referenceScript } from './src/web/build/reference.ts'
import { compileMessages, messageFile } from './src/web/i18n/compile.ts'

/** Compiles the ICU messages for the dev server, which serves the files that the build writes for the browser. */
function messages(): Plugin {
  const path = new RegExp(`^/messages/(?:(?<part>${PARTS.join('|')})/)?(?<code>[\\w-]+)\\.dev\\.json$`)
  return {
    name: 'mayfly:messages',
    enforce: 'pre',
    apply: 'serve',
    async load(id) {
      const code = /\/locales\/(?<code>[\w-]+)\.json$/.exec(id)?.groups?.code
      return code ? { code: `export default ${JSON.stringify(await compileMessages(code))}`, moduleType: 'js' } : null
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { part, code } = path.exec(request.url ?? '')?.groups ?? {}
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

/** The dev server makes or reads the files that the build writes when they are requested. */
function written(): Plugin {
  return {
    name: 'mayfly:written',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { url = '' } = request
        if (url === REFERENCE_SCRIPT) {
          return void response.setHeader('content-type', 'text/javascript').end(referenceScript())
        }
        const pdf = url.startsWith('/pdf/') ? pdfFile(url.slice('/pdf/'.length)) : undefined
        if (pdf === undefined) return next()
        response
          .setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'application/octet-stream')
          .end(pdf)
      })
    },
  }
}

const WEB = join(import.meta.dirname, 'src/web')
const ICON = JSON.stringify(join(import.meta.dirname, 'src/web/components/icon.tsx'))

/**
 * Bundles only the drawings of Lucide's icons. Its runtime, their names and their keys are larger than the drawings.
 */
function icons(): Plugin {
  return {
    name: 'mayfly:icons',
    enforce: 'pre',
    apply: 'build',
    async transform(_, id) {
      if (!/lucide-react\/dist\/esm\/icons\/(?!index)[\w-]+\.m?js$/.test(id)) return null
      const { __iconData: icon } = (await import(id)) as { __iconData?: { node: [string, Record<string, string>][] } }
      if (!icon) throw new Error(`${id} does not have the expected format of a Lucide icon`)
      const shapes = icon.node.map(([tag, { key: _key, ...attributes }]) => {
        const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
        return `<${tag}${all.join('')}/>`
      })
      // Adjacent paths are drawn as one, unless the second starts relative to the first.
      const joined = shapes.join('').replaceAll(/(?<=<path d="[^"]*)"\/><path d="(?=M)/g, '')
      return `import createIcon from ${ICON}\nexport default createIcon(${JSON.stringify(joined)})`
    },
  }
}

/**
 * Preloads the files that a lazily imported one needs. Vite's own code for this also handles style sheets, which are not
 * split here, and is four times as long. Like it, dispatches `vite:preloadError` if the import fails.
 */
const PRELOAD = `
export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const href = '/' + file
    if (!document.querySelector('link[href="' + href + '"]'))
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
  }
  return load().catch((error) => {
    dispatchEvent(new Event('vite:preloadError'))
    throw error
  })
}`

function shortPreload(): Plugin {
  return {
    name: 'mayfly:short-preload',
    enforce: 'pre',
    apply: 'build',
    load: (id) => (id === '\0vite/preload-helper.js' ? { code: PRELOAD, moduleType: 'js' } : null),
  }
}

/** Code that every page shares. The icons that it imports are bundled with it. */
const SHARED =
  /node_modules\/(?:react|react-dom|scheduler|icu-minify)\/|src\/web\/(?:components|hooks|i18n\/(?:text|messages|translated-path|dates|formats|isolate)|pages\/home|app\/(?:kept-forms|page|service-worker|storage)\.|navigation\/paths|api\/api\.)|preload-helper/

/** Parts that few visitors open. They match `SHARED` but are loaded on demand. */
const RARELY_USED =
  /dialog\.|open-here|account-api|hooks\/(?:alerts|chime|deletions|use-(?:escape|inbox-elsewhere|kept|loaded|older))|i18n\/price|home\/(?:generator|inbox-options|inbox-tools|message-shortcuts|premium-hint|search|shortcuts|switcher|use-search)|components\/(?:article-list|authenticity|choice|dock|switch\.|email-address|email-input|faq|field|kept-form|not-loaded|save-file|support-form)/

/** Hides the plugin timings from the start of the program. */
const QUIET = { checks: { bundlerTimings: false } }

/** The licenses of the packages, which must accompany their code. The site serves them as `/licenses.md`. */
const LICENSES = { fileName: 'licenses.md' }

/** Form parts are small and needed together. A file for each would cost more in requests than it saves in bytes. */
const FORMS =
  /src\/web\/(?:components\/(?:choice|email-input|field|kept-form|support-form)|navigation\/leave-for|pages\/(?:delete\/question|forwarding\/action-button))|src\/core\/operating\/support/

/** Dialogs share one file for the same reason. */
const DIALOGS =
  /src\/web\/(?:parts\/dialogs|components\/(?:(?:address-|colors-|confirm-)?dialog|switch\.)|pages\/home\/(?:inbox-options|open-here|recovery-dialog))/

/** What acts on a list that has messages. */
const LIST = /src\/web\/(?:parts\/list|pages\/home\/(?:inbox-tools|(?:use-)?search|shortcuts)|hooks\/(?:alerts|chime))/

export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: [messages(), icons(), shortPreload(), written(), react()],
  logLevel: 'warn',
  worker: { rolldownOptions: QUIET },
  css: {
    modules: {
      generateScopedName: mode === 'production' ? shortNames(WEB) : '[name]_[local]_[hash:base64:4]',
    },
  },
  ...(mode === 'production'
    ? isSsrBuild
      ? // NODE_ENV is fixed in the bundle: without it the server runs React's development build.
        { ssr: { noExternal: true }, define: { 'process.env.NODE_ENV': '"production"' } }
      : // React's developer tools connect only to the dev server.
        { define: { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } }
    : {}),
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        copyPublicDir: false,
        emptyOutDir: true,
        license: LICENSES,
        // One file: the server needs all pages.
        rolldownOptions: { ...QUIET, output: { codeSplitting: false } },
      }
    : {
        outDir: 'dist/client',
        manifest: true,
        license: LICENSES,
        cssCodeSplit: false,
        modulePreload: {
          polyfill: false,
          // Only what a file imports: its own import starts as early as a preload would, and every page has the shared file.
          resolveDependencies: (file, dependencies) =>
            dependencies.filter((each) => each !== file && !each.includes('/shared-')),
        },
        target: 'baseline-widely-available',
        // Slower than Vite's own minifier, but saves 1 KB of React.
        minify: 'terser',
        terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, inline: 1 } },
        rolldownOptions: {
          ...QUIET,
          input: 'src/web/entry.client.tsx',
          // Fixed groups. By default each pair of pages that shares a component would get its own file.
          output: {
            // Hashes don't compress, and the shared file names every other one.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                { name: 'shared', test: (id) => SHARED.test(id) && !RARELY_USED.test(id) },
                { name: 'forms', test: FORMS },
                { name: 'dialogs', test: DIALOGS },
                { name: 'list', test: LIST },
              ],
            },
          },
        },
      },
}))
