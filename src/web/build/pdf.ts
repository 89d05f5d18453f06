import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))

/** The directories with fonts, tables of characters and decoders. */
const DIRECTORIES = ['cmaps', 'standard_fonts', 'wasm']
/** The builds for browsers that lack the newest functions. */
const BUILDS = join(PACKAGE, 'legacy/build')

/** Returns the worker as a classic script: a module worker does not start in a document without an origin. */
function classicWorker(): string {
  const module = readFileSync(join(BUILDS, 'pdf.worker.min.mjs'), 'utf8')
  const script = module
    .replaceAll('import.meta.url', 'self.location.href')
    .replace(/export\{WorkerMessageHandler\};?\s*$/, '')
  if (/import\.meta|\bexport\{/.test(script)) throw new Error('The worker of PDF.js has changed')
  return script
}

const SCRIPTS: Record<string, () => string> = {
  'library.js': () => readFileSync(join(BUILDS, 'pdf.min.mjs'), 'utf8'),
  'worker.js': classicWorker,
}

/** The content of a file of PDF.js for a path below `/pdf/`; undefined if there is none. */
export function pdfFile(path: string): string | Buffer | undefined {
  const script = SCRIPTS[path]
  if (script) return script()
  return /^(?:cmaps|standard_fonts|wasm)\/[\w-][\w.-]*$/.test(path) ? readFileSync(join(PACKAGE, path)) : undefined
}

/** Copies the files of PDF.js, which are loaded when a PDF is shown. */
export async function writePdfFiles(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await Promise.all([
    ...Object.entries(SCRIPTS).map(([name, content]) => writeFile(join(directory, name), content())),
    // Scripts of PDFs are never run.
    ...DIRECTORIES.map((name) =>
      cp(join(PACKAGE, name), join(directory, name), { recursive: true, filter: (path) => !path.includes('quickjs') }),
    ),
  ])
}
