import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '#test/support/mail/mail.ts'
import { findBrowser } from '#test/support/program/browser.ts'
import { freePort } from '#test/support/program/free-port.ts'
import { BARE_ENV, type Program } from '#test/support/program/program.ts'
import { type Project, ROOT } from './project.ts'

interface Result {
  status: string
  error?: { message: string }
  attachments: { name: string; contentType: string; body?: string; path?: string }[]
}

interface Spec {
  title: string
  tests: { annotations: { type: string; description?: string }[]; results: Result[] }[]
}

interface Suite {
  specs: Spec[]
  suites?: Suite[]
}

type Outcome = Result & { inboxes: string[]; message: string }

const contentOf = async ({ body, path = '' }: Result['attachments'][number]): Promise<string> =>
  body === undefined ? readFile(path, 'utf8') : Buffer.from(body, 'base64').toString()

const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]

export function playwrightSuite(context: () => { project: Project; program: Program }): void {
  /** Runs Playwright in a folder of the project. Resolves with its tests by title. */
  async function playwright(folder: string, env: Record<string, string | undefined>): Promise<Record<string, Outcome>> {
    const { project, program } = context()
    const cwd = join(project.directory, folder)
    const child = spawn(process.execPath, [join(project.directory, 'node_modules/@playwright/test/cli.js'), 'test'], {
      cwd,
      env: { ...BARE_ENV, MAYFLY_PUBLIC_URL: program.url, SMTP_PORT: String(program.smtpPort), ...env },
    })
    const [output] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    const report = await readFile(join(cwd, 'results.json'), 'utf8').catch(() => {
      throw new Error(output)
    })
    const { suites, errors } = JSON.parse(report) as { suites: Suite[]; errors: { message: string }[] }
    expect(errors).toEqual([])
    return Object.fromEntries(
      suites.flatMap(specsOf).map(
        ({
          title,
          tests: [
            {
              annotations,
              results: [result],
            },
          ],
        }: any) => [
          title,
          {
            ...result,
            inboxes: annotations.map(({ description }: { description: string }) => description),
            message: stripVTControlCharacters(result.error?.message ?? ''),
          },
        ],
      ),
    )
  }

  test('the sample project passes, with its emails in the report', async () => {
    const { project } = context()
    await cp(join(ROOT, 'packages/playwright/sample'), join(project.directory, 'sample'), { recursive: true })
    const { path, env } = await findBrowser()
    const results = await playwright('sample', { ...env, CHROMIUM: path, APP_PORT: String(await freePort()) })
    expect(Object.values(results).map(({ status, message }) => [status, message])).toEqual([
      ['passed', ''],
      ['passed', ''],
    ])
    for (const { attachments, inboxes } of Object.values(results))
      expect(attachments.map(({ name, contentType }) => [name, contentType])).toEqual([
        [`Email 1 to ${inboxes[0]}: Confirm your email address (text)`, 'text/plain'],
        [`Email 1 to ${inboxes[0]}: Confirm your email address (HTML)`, 'text/html'],
        [`Email 1 to ${inboxes[0]}: Confirm your email address (source)`, 'message/rfc822'],
      ])
  })

  describe('the fixtures and the matcher', () => {
    let results: Record<string, Outcome>
    beforeAll(async () => {
      const { project } = context()
      await mkdir(join(project.directory, 'specs'))
      await cp(join(import.meta.dirname, 'specs'), join(project.directory, 'specs'), { recursive: true })
      results = await playwright('specs', {})
    })
    const result = (title: string): Outcome => {
      expect(Object.keys(results)).toContain(title)
      return results[title]!
    }

    test.each(['receives', 'waits', 'receives nothing else', 'has two inboxes', 'works in CommonJS'])(
      'passes: %s',
      (title) => {
        const { status, message, attachments } = result(title)
        expect([status, message, attachments]).toEqual(['passed', '', []])
      },
    )

    test.each<[string, RegExp]>([
      [
        'explains what arrived instead',
        /^Error: expect\(inbox\)\.toReceive\(expected\)\n\nExpected: \{"code": true, "subject": "Confirm"\}\n.+@mayfly\.test: No matching message arrived.+"Welcome" from .+ does not match `subject`, `has`/,
      ],
      [
        'explains another code',
        /^Error: expect\(inbox\)\.toReceive\(expected\)\n\nExpected: \{"code": "000000"\}\n.+: "Confirm it" has the code 482913 and the link null\./,
      ],
      [
        'explains an unwanted message',
        /^Error: expect\(inbox\)\.not\.toReceive\(expected\)\n\nExpected: not \{"subject": "Welcome"\}\nReceived: "Welcome" from no-reply@harbour\.example, code null, link null$/,
      ],
      [
        'names a condition that does not exist',
        /^TypeError: toReceive\(\) has no option `subjct`\. Did you mean `subject`\?$/,
      ],
      [
        'names an option that does not exist',
        /^TypeError: toReceive\(\) has no option `timout`\. Did you mean `timeout`\?$/,
      ],
      ['names an option of the project that does not exist', /has no option `attch`\. Did you mean `attach`\?/],
      ['refuses a timeout', /`timeout` is -1; expected 0 or more milliseconds/],
      ['refuses another value', /The value is not an inbox/],
      ['explains a wait', /^WaitTimeoutError: .+No matching message arrived within 0\.3 s/],
    ])('fails: %s', (title, message) => {
      const { status, message: actual } = result(title)
      expect([status, actual]).toEqual(['failed', expect.stringMatching(message)])
    })

    test('the messages of a failed test are attached', async () => {
      const emails = (title: string) => result(title).attachments.filter(({ name }) => name.startsWith('Email'))
      const { inboxes } = result('explains what arrived instead')
      const attachments = emails('explains what arrived instead')
      expect(attachments.map(({ name }) => name)).toEqual([
        `Email 1 to ${inboxes[0]}: Welcome (text)`,
        `Email 1 to ${inboxes[0]}: Welcome (source)`,
      ])
      const [shown, source] = await Promise.all(attachments.map(contentOf))
      expect([shown, source]).toEqual([
        expect.stringContaining('Hello'),
        expect.stringMatching(/^Subject: Welcome\r$/m),
      ])
      expect(attachments[1]!.path).toMatch(/\.eml$/)
      expect(await Promise.all(emails('explains a wait').map(contentOf))).toEqual([
        `No message arrived at ${result('explains a wait').inboxes[0]}.`,
      ])
    })

    test('each test has inboxes of its own, which are deleted', async () => {
      const inboxes = Object.values(results).flatMap((each) => each.inboxes)
      expect(new Set(inboxes).size).toBe(inboxes.length)
      expect(result('has two inboxes').inboxes).toHaveLength(2)
      for (const to of inboxes)
        await expect(sendMail(context().program.smtpPort, { to, subject: 'x', text: 'x' })).rejects.toThrow('5.1.1')
    })
  })
}
