import { pathIn } from '#locales/languages.ts'
import type { Routes } from '../../context.ts'
import { knownLanguage } from '../../pages/page-request.ts'

/** Only its own scripts run. The renderer adds style sheets and style attributes. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = (api: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference – Mayfly</title>
<meta name="description" content="All calls of the Mayfly API, with samples in curl, JavaScript, Python, Go and PHP.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/reference/reference.css">
</head>
<body>
<header class="frame"><a href="${api}">← Mayfly API</a><a href="/api/v1/openapi.json">openapi.json</a></header>
<noscript><p class="frame">This page needs JavaScript. The whole reference is in openapi.json.</p></noscript>
<main id="reference"></main>
<script src="/reference/scalar.js"></script>
<script src="/reference/reference.js"></script>
</body>
</html>
`

/** The reference of the API in English, rendered in the browser. */
export const referenceRoutes: Routes = (app, { deps }) => {
  app.get<{ Querystring: { lang?: string } }>('/api/reference', { schema: { hide: true } }, async (request, reply) => {
    const lang = knownLanguage(request.query.lang, deps.languages)
    return reply
      .header('content-security-policy', CSP)
      .type('text/html; charset=utf-8')
      .send(page(pathIn(lang, '/api')))
  })
}
