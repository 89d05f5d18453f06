import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { languages } from '#locales/languages.ts'
import { sendMail } from '#test/support/mail/mail.ts'
import type { SharedProgram } from '#test/support/program/program.ts'
import { sharedProgram } from '#test/support/program/shared.ts'

const TEXTS = join(import.meta.dirname, '../../content/pages/api')
let program: SharedProgram
let directory: string
let snippets: Record<string, string>

beforeAll(async () => {
  ;[program, directory] = await Promise.all([sharedProgram(), mkdtemp(join(tmpdir(), 'mayfly-snippets-'))])
  const text = await readFile(join(TEXTS, 'en.md'), 'utf8')
  const blocks = [...text.matchAll(/```(\w+)\n(.*?)```/gs)].toReversed()
  // The first block of each language, with the URL of this service.
  snippets = Object.fromEntries(
    blocks.map(([, name = '', code = '']) => [name, code.replaceAll('{siteUrl}', program.url)]),
  )
})
afterAll(async () => {
  await rm(directory, { recursive: true })
})

const there = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs a snippet, sends an email to the address that it prints, and returns its whole output. */
async function run(file: string, code: string, command: string[]): Promise<string> {
  await writeFile(join(directory, file), code)
  const [name = '', ...args] = command
  const child = spawn(name, [...args, file], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  let mailed = false
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
    const to = /[\w.]+@mayfly\.test/.exec(printed)?.[0]
    if (!to || mailed) return
    mailed = true
    void sendMail(program.smtpPort, { to, subject: 'Welcome', text: 'Your code is 739204.' })
  })
  const [status] = (await once(child, 'close')) as [number]
  expect(status).toBe(0)
  return printed
}

test('runs the JavaScript example of the API page', async () =>
  expect(await run('first.mjs', snippets.js ?? '', [process.execPath])).toMatch(/Welcome (?:739204|null) null/))

test.skipIf(!there('python3'))('runs the Python example of the API page', async () =>
  expect(await run('first.py', snippets.python ?? '', ['python3', '-u'])).toMatch(/Welcome (?:739204|None) None/),
)

test.skipIf(!there('curl'))('runs the curl example of the API page', async () => {
  const shell = await run('first.sh', `${snippets.sh ?? ''}\n`, ['sh'])
  expect(shell).toContain('"subject":"Welcome"')
})

test('has the same examples in every language', async () => {
  const code = async (lang: string) =>
    [...(await readFile(join(TEXTS, `${lang}.md`), 'utf8')).matchAll(/```.*?```/gs)].join('\n')
  const english = await code('en')
  for (const each of languages) expect([each.code, await code(each.code)]).toEqual([each.code, english])
})
