import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliContext, run } from '#cli/run.ts'
import { DAY } from '#core/time.ts'
import { startFakeBtcpay, type FakeBtcpay } from '#test/support/fakes/btcpay.ts'
import { openServices } from '#test/support/fixtures/services.ts'
import { siteClient } from '#test/support/fixtures/subscriber.ts'
import { runMayfly } from '#test/support/program/command.ts'
import { type Program, startProgram, WITHOUT_LIMITS } from '#test/support/program/program.ts'

let btcpay: FakeBtcpay
/** For the errors, which need no process of their own. */
let services: Awaited<ReturnType<typeof openServices>>
let program: Program
beforeAll(async () => {
  services = await openServices()
  btcpay = await startFakeBtcpay()
  program = await startProgram({ env: { ...WITHOUT_LIMITS, ...btcpay.env } })
  btcpay.eventUrl = `${program.url}/webhooks/btcpay`
})
afterAll(async () => {
  await program.stop()
  await services.close()
  await btcpay.close()
})

async function subscriptions(...args: string[]) {
  const env = { MAYFLY_DATA_DIR: program.dataDir, MAYFLY_LOG_LEVEL: 'error', ...btcpay.env }
  const { status, stdout, stderr } = await runMayfly(['subscriptions', ...args], env)
  return { status, lines: stdout.trimEnd().split('\n'), stderr }
}

const order = async (email: string): Promise<string> => {
  const form = { plan: 'crypto', years: 1, email, lang: 'en' }
  return ((await (await siteClient(program).send('POST', '/api/v1/orders', form)).json()) as { id: string }).id
}
const invoiceOf = (orderId: string): string => btcpay.invoiceOf(orderId).id

test('lists, shows, grants, revokes, refunds and reconciles while the service runs', async () => {
  const invoice = invoiceOf(await order('Ann@example.org'))
  btcpay.pay(invoice)
  await btcpay.delivered()

  const listed = await subscriptions('list')
  expect([listed.status, listed.lines.length]).toEqual([0, 1])
  const [id = '', email, state, ends = '', plan] = listed.lines[0]!.split('\t')
  expect([email, state, plan]).toEqual(['Ann@example.org', 'ending', 'crypto'])

  const shown = (await subscriptions('show', 'ann@EXAMPLE.org')).lines
  expect(shown).toContain(`Id                    ${id}`)
  expect(shown).toContain(`Paid until            ${ends}`)
  expect(shown.at(-1)).toMatch(
    new RegExp(`^payment\tbtcpay\t${invoice}\tpaid\t20\\d\\d-\\S+Z\t86\\.00 USD\t36[56] days$`),
  )
  expect((await subscriptions('show', id)).lines).toEqual(shown)

  const granted = await subscriptions('grant', 'ann@example.org', '--days', '10')
  expect(granted.lines).toEqual([
    `${id}\tann@example.org\tpaid until ${new Date(Date.parse(ends) + 10 * DAY).toISOString()}`,
  ])
  expect((await subscriptions('revoke', id)).lines).toEqual(['Grants revoked: 1'])
  expect((await subscriptions('list')).lines[0]).toContain(ends)

  expect((await subscriptions('refund', id, invoice)).lines).toEqual(['The payment is marked as refunded'])
  expect((await subscriptions('list')).lines[0]).toMatch(/\tended\t-\tcrypto$/)

  btcpay.eventUrl = undefined
  const missed = invoiceOf(await order('bob@example.org'))
  btcpay.pay(missed)
  const compared = await subscriptions('reconcile')
  expect(compared.status).toBe(0)
  expect(compared.lines.at(-1)).toMatch(/^\d+ compared, 4 differences$/)
  expect(compared.lines).toContain(`btcpay\t${missed}\tpayment_missing`)
  expect((await subscriptions('reconcile')).lines).toEqual([expect.stringMatching(/^\d+ compared, 0 differences$/)])
  expect((await subscriptions('list')).lines).toHaveLength(2)

  btcpay.faults.fail(500)
  const failed = await subscriptions('reconcile')
  btcpay.faults.heal()
  expect(failed).toMatchObject({ status: 1, stderr: 'Not compared because of errors: btcpay\n' })
})

test.each([
  [['show', 'nobody@example.org'], 'There is no such subscription'],
  [['show', 'ann@'], 'This is not an email address'],
  [['revoke', 'nothing'], 'There is no such subscription'],
  [['refund', 'nothing', 'nothing'], 'There is no such payment'],
  [['grant', 'ann@', '--days', '1'], 'This is not an email address'],
])('%j prints the reason', async (args, reason) => {
  const errors: string[] = []
  const printError = (line: string): void => void errors.push(line)
  const status = await run(['subscriptions', ...args], {
    printError,
    open: async () => ({ ...services, close: async () => {} }),
  } as unknown as CliContext)
  expect([status, errors]).toEqual([1, [reason]])
})
