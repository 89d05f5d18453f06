import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Inbox } from '#client/index.ts'
import { startDockerEngine } from '#test/support/fakes/docker-engine.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { type Project, ROOT } from './project.ts'

interface Started {
  getUrl(): string
  getSmtpHost(): string
  getSmtpPort(): number
  createInbox(options?: object): Promise<Inbox>
  createApiKey(): Promise<string>
  stop(): Promise<unknown>
}
interface Container {
  withDomains(...domains: string[]): this
  withEnvironment(environment: Record<string, string>): this
  start(): Promise<Started>
}

/** With a stand-in for the Docker Engine, whose containers are the program itself. */
export function testcontainersSuite(context: () => { project: Project }): void {
  let engine: Awaited<ReturnType<typeof startDockerEngine>>
  let MayflyContainer: new (image?: string) => Container
  beforeAll(async () => {
    engine = await startDockerEngine('mayfly:latest')
    Object.assign(process.env, { DOCKER_HOST: engine.host, TESTCONTAINERS_RYUK_DISABLED: 'true' })
    const index = join(context().project.directory, 'node_modules/@mayfly/testcontainers/dist/index.js')
    ;({ MayflyContainer } = (await import(pathToFileURL(index).href)) as never)
  })
  afterAll(() => engine?.close())

  test('starts a container, creates an inbox in it, and stops it', async () => {
    const started = await new MayflyContainer().withDomains('mail.test').start()
    expect(started.getUrl()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(started.getSmtpHost()).toBe('127.0.0.1')
    const inbox = await started.createInbox({ login: 'container.test' })
    expect(inbox.address).toBe('container.test@mail.test')
    await sendMail(started.getSmtpPort(), verificationMail(inbox.address))
    expect(await inbox.waitForCode()).toBe('482913')
    // More than a public site allows at once.
    const inboxes = await Promise.all(Array.from({ length: 40 }, () => started.createInbox()))
    await Promise.all(inboxes.map((each) => each.messages({ wait: 1 })))
    const refused = await started.createInbox({ apiKey: await started.createApiKey() })
    await refused.setFaults([{ at: 'rcpt', action: 'reject', code: 451, first: 1 }])
    await expect(sendMail(started.getSmtpPort(), verificationMail(refused.address))).rejects.toThrow('451')
    await sendMail(started.getSmtpPort(), verificationMail(refused.address))
    expect(await refused.waitForCode()).toBe('482913')
    await started.stop()
    expect(engine.running.size).toBe(0)
  })

  test('the engine is asked for the image, the ports and settings for tests', async () => {
    const started = await new MayflyContainer().withEnvironment({ MAYFLY_SMTP_AUTH: 'auto' }).start()
    await started.stop()
    const { Image, Env, ExposedPorts, HostConfig } = engine.created.at(-1)!
    expect([Image, Object.keys(ExposedPorts), HostConfig.PortBindings]).toEqual([
      'mayfly:latest',
      ['3000/tcp', '2525/tcp'],
      { '3000/tcp': [{ HostPort: '0' }], '2525/tcp': [{ HostPort: '0' }] },
    ])
    expect(Object.fromEntries(Env.map((each) => each.split('=')))).toMatchObject({
      MAYFLY_PUBLIC_URL: 'http://127.0.0.1',
      MAYFLY_SMTP_STARTTLS: 'off',
      MAYFLY_SMTP_AUTH: 'auto',
    })
  })

  test('the container has the settings for tests that the image gets without this package', async () => {
    await (await new MayflyContainer().start()).stop()
    const lines = readFileSync(join(ROOT, 'deploy/tests.env'), 'utf8').match(/^MAYFLY_.+$/gm)!
    expect(engine.created.at(-1)!.Env.toSorted()).toEqual(['MAYFLY_PUBLIC_URL=http://127.0.0.1', ...lines].toSorted())
  })

  test('an image that does not exist is named', () =>
    expect(new MayflyContainer('mayfly-typo').start()).rejects.toThrow('mayfly-typo'))
}
