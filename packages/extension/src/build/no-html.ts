import type { Plugin } from 'vite'

/** The places of React DOM that set HTML. */
const PLACES = 3

/**
 * Removes the code with which React sets HTML (for `dangerouslySetInnerHTML` and for script elements) from the bundle,
 * so that nothing in the extension can use it by mistake.
 */
export function withoutHtml(): Plugin {
  return {
    name: 'mayfly:without-html',
    transform(code, id) {
      if (!id.endsWith('/react-dom-client.production.js')) return null
      const found = code.match(/\w+\.innerHTML = /g)?.length ?? 0
      if (found !== PLACES) throw new Error(`React DOM sets HTML at ${found} places, not ${PLACES}: look at them`)
      return { code: code.replaceAll(/\w+\.innerHTML = (?:key|"[^"]*")/g, 'formatProdErrorMessage(60)'), map: null }
    },
  }
}
