import { readFileSync, writeFileSync } from 'node:fs'
import { openApiDocument } from './openapi-document.ts'

/** Writes openapi.json from the routes. With `--check`, only reports whether it is up to date. */
const file = new URL('../../openapi.json', import.meta.url)
const fresh = `${JSON.stringify(await openApiDocument(), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, fresh)
else if (fresh !== readFileSync(file, 'utf8')) {
  process.stderr.write('openapi.json is not what the routes say: run npm run openapi\n')
  process.exitCode = 1
}
