import { readFileSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '../../../../locales/languages.ts'
import { compileMessages } from '../../../../src/web/i18n/compile.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface GeneratedFile {
  relativeDest: string
  contents: string
}

/** Problems that `ui/problem.ts` names by their code. */
const PROBLEMS = new Set(
  ['too_many_requests', 'premium_required', 'addresses_full', 'domain_unknown', 'unauthorized'].map(
    (code) => `problem.${code}`,
  ),
)
const GROUPS = new Set(['colors.', 'live.'])

/** The keys of the site's texts that the extension uses: all that its source or its components name. */
async function usedKeys(): Promise<(key: string) => boolean> {
  const files = ['packages/extension/src/**/*.{ts,tsx}', 'src/web/components/{button,copy-button,field}.tsx']
  const sources: string[] = []
  for await (const file of glob(files, { cwd: root })) sources.push(await readFile(join(root, file), 'utf8'))
  const source = sources.join('\n')
  const named = new Set([...source.matchAll(/['`]([a-z]\w*\.[\w.]+)['`]/gi)].map(([, key]) => key))
  // Keys with a variable end, such as `colors.${each}`.
  const starts = [...source.matchAll(/`([a-z]\w*\.)\$\{/gi)].map(([, start]) => start ?? '')
  const groups = starts.filter((start) => GROUPS.has(start))
  return (key) => named.has(key) || groups.some((start) => key.startsWith(start)) || PROBLEMS.has(key)
}

/** Folder names that stores know. */
const STORE_CODES: Record<string, string> = { zh: 'zh_CN', 'zh-TW': 'zh_TW', pt: 'pt_BR', kh: 'km' }

/** The texts of the pages, and those of the manifest in the browser's own format, for each language. */
export async function localeFiles(): Promise<GeneratedFile[]> {
  const isUsed = await usedKeys()
  const files = languages.map(async ({ code }): Promise<GeneratedFile[]> => {
    const texts = { ...JSON.parse(read('locales/en.json')), ...JSON.parse(read(`locales/${code}.json`)) } as Record<
      string,
      string
    >
    const compiled = Object.entries(await compileMessages(code)).filter(([key]) => isUsed(key))
    const ofManifest = ['name', 'description', 'fill'].map((key) => [key, { message: texts[`extension.${key}`] }])
    return [
      { relativeDest: `messages/${code}.json`, contents: JSON.stringify(Object.fromEntries(compiled)) },
      {
        relativeDest: `_locales/${STORE_CODES[code] ?? code}/messages.json`,
        contents: JSON.stringify(Object.fromEntries(ofManifest)),
      },
    ]
  })
  return (await Promise.all(files)).flat()
}
