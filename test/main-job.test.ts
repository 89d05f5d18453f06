import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { ENGINES } from '#test/support/fixtures/services.ts'
import { sendMail, verificationMail } from '#test/support/mail/mail.ts'
import { call, clientOf, createAddress } from '#test/support/program/api.ts'
import { newDatabase } from '#test/support/program/postgres.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

describe.each(ENGINES)('on %s', (engine) => {
  let program: Program
  let drop: (() => Promise<void>) | undefined

  beforeAll(async () => {
    const database = engine === 'PostgreSQL' ? await newDatabase(inject('postgres')) : undefined
    drop = database?.drop
    program = await startProgram({ env: { ...WITHOUT_LIMITS, ...(database && { MAYFLY_DATABASE_URL: database.url }) } })
  })

  afterAll(async () => {
    expect(await program.stop()).toBe(0)
    await drop?.()
  })

  describe('the main job', () => {
    test('creates an address, receives a message by SMTP and finds its code', async () => {
      const owner = await createAddress(program.url)
      expect(owner.address).toMatch(/^[a-z]+\.[a-z]+\.[a-z]+\d+@mayfly\.test$/)
      expect(owner.secret).toMatch(/^[\w-]{43}$/)
      await sendMail(program.smtpPort, verificationMail(owner.address))
      const { messages } = await owner.json('/api/v1/messages?wait=10')
      expect(messages).toHaveLength(1)
      expect(messages[0]).toMatchObject({
        from: { name: 'Harbour Bank', address: 'no-reply@harbour.example' },
        subject: 'Confirm your e-mail address',
        code: '482913',
        link: 'https://harbour.example/confirm?token=f3a9c1d27b',
        seen: false,
        attachments: [],
      })
      const message = await owner.json(`/api/v1/messages/${messages[0].id}`)
      expect(message.text).toContain('482913')
      expect(message.html).toContain('<b>482913</b>')
      const raw = await (await owner.get(`/api/v1/messages/${messages[0].id}/raw`)).text()
      expect(raw).toMatch(/^Return-Path: <no-reply@harbour\.example>\r\nReceived: from sender\.example/)
    })

    test("an address can't be read without its secret", async () => {
      const owner = await createAddress(program.url)
      await sendMail(program.smtpPort, verificationMail(owner.address))
      await owner.json('/api/v1/messages?wait=10')
      const stranger = await createAddress(program.url)
      const { messages } = await owner.json('/api/v1/messages')
      for (const path of ['', '/raw', '/attachments/0']) {
        expect((await stranger.get(`/api/v1/messages/${messages[0].id}${path}`)).status).toBe(404)
      }
      expect((await stranger.json('/api/v1/messages')).messages).toEqual([])
      expect((await call(program.url, 'GET', '/api/v1/messages')).status).toBe(401)
    })

    test('plus addressing and upper case reach the same inbox', async () => {
      const owner = await createAddress(program.url, { login: 'plus.tester', domain: 'dayfly.test' })
      for (const to of ['plus.tester+shop@dayfly.test', 'Plus.Tester@DAYFLY.test']) {
        await sendMail(program.smtpPort, { to, subject: to, text: 'hello' })
      }
      const { messages } = await owner.json('/api/v1/messages?wait=10')
      expect(messages.length).toBeGreaterThan(0)
      expect((await owner.json('/api/v1/messages')).messages.map((each: any) => each.subject)).toEqual([
        'Plus.Tester@DAYFLY.test',
        'plus.tester+shop@dayfly.test',
      ])
    })

    test('a deleted address refuses messages, and only the holder of its secret can take it again', async () => {
      const owner = await createAddress(program.url, { login: 'come.back' })
      expect((await owner.send('DELETE', '/api/v1/address')).status).toBe(204)
      await expect(sendMail(program.smtpPort, verificationMail(owner.address))).rejects.toMatchObject({
        responseCode: 550,
      })
      expect((await owner.get('/api/v1/address')).status).toBe(401)
      await expect(createAddress(program.url, { login: 'come.back' })).rejects.toThrow('address_taken')
      const again = await createAddress(program.url, { login: 'come.back' }, owner.secret)
      expect(again.address).toBe(owner.address)
      expect(again.secret).not.toBe(owner.secret)
      expect((await clientOf(program.url, owner.address, owner.secret).get('/api/v1/address')).status).toBe(401)
    })

    test('messages for foreign domains are never relayed', async () => {
      await expect(sendMail(program.smtpPort, verificationMail('victim@elsewhere.example'))).rejects.toThrow(
        /550 5\.7\.1/,
      )
      await expect(sendMail(program.smtpPort, verificationMail('nobody@mayfly.test'))).rejects.toThrow(/550 5\.1\.1/)
    })
  })
})
