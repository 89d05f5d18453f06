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
      const texts = JSON.parse(await readFile(id, 'utf8')) as Record<string, string>
      const compiled = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)]))
      return { code: `export default ${JSON.stringify(compiled)}`, moduleType: 'js' }
    },
  }
}

const SHARED =
  /node_modules\/(?:react|react-dom|scheduler|icu-minify|lucide-react)\/|src\/web\/(?:components|hooks|i18n|pages\/home|page\.|api\.)|preload-helper/

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
          output: { codeSplitting: { groups: [{ name: 'shared', test: SHARED }] } },
        },
      },
}))
