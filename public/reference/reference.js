// Renders the API reference. https://github.com/scalar/scalar
const DOCUMENT = '/api/v1/openapi.json'
const client = (targetKey, clientKey) => ({ targetKey, clientKey })
globalThis.Scalar.createApiReference('#reference', {
  url: DOCUMENT,
  // Test requests have no cookies, so that they do not change the visitor's own inbox or account.
  customFetch: (input, init) =>
    fetch(input, String(input).endsWith(DOCUMENT) ? init : { ...init, credentials: 'omit' }),
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  persistAuth: false,
  defaultHttpClient: client('shell', 'curl'),
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    http: true,
    java: true,
    julia: true,
    kotlin: true,
    node: true,
    objc: true,
    ocaml: true,
    powershell: true,
    r: true,
    ruby: true,
    rust: true,
    swift: true,
    go: false,
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    php: ['guzzle', 'laravel'],
    python: ['python3', 'httpx_sync', 'httpx_async', 'aiohttp'],
    shell: ['wget', 'httpie'],
  },
})
