import { describe, expect, test } from 'vitest'
import { DAY } from '#core/time.ts'
import { NOW } from '../testing.ts'
import { fake, fixture, ordered, useBtcpay } from './testing.ts'

useBtcpay()

const nothing = { source: undefined, payments: [], mismatch: undefined }

test('reports a late payment that is never confirmed as underpaid after three weeks', async () => {
  const { id, read } = await ordered()
  fake.expire(id)
  fake.receive(id, 40)
  fake.confirm(id)
  fake.receive(id)
  fixture.time.now += 21 * DAY - 1
  expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
  fixture.time.now++
  expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
  fake.confirm(id)
  expect(await read()).toMatchObject({ state: 'paid' })
})

describe('of an invoice that BTCPay made invalid because confirmations took too long', () => {
  const late = async (...amounts: number[]) => {
    const bought = await ordered()
    for (const amount of amounts) fake.receive(bought.id, amount)
    fixture.time.now += 2 * DAY
    fake.invalidate(bought.id)
    return { ...bought, payments: fake.invoices.get(bought.id)!.methods[0]!.payments }
  }

  test('is pending, then paid once all of it is confirmed', async () => {
    const { order, id, read, payments } = await late(40, 46)
    expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
    payments[0]!.status = 'Settled'
    expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
    fake.confirm(id)
    const paid = { state: 'paid', payments: [{ paidAt: NOW, total: { amount: 8600 }, pays: { span: 365 * DAY } }] }
    expect(await read()).toMatchObject(paid)
    order.state = 'paid'
    expect(await read()).toMatchObject(paid)
  })

  test('is underpaid after three weeks without confirmations, until they arrive nevertheless', async () => {
    const { id, order, read, payments } = await late(40, 46)
    payments[0]!.status = 'Settled'
    fixture.time.now += 19 * DAY - 1
    expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
    fixture.time.now++
    expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
    payments[0]!.status = 'Processing'
    expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
    fake.confirm(id)
    const paid = { state: 'paid', payments: [{ paidAt: NOW, total: { amount: 8600 } }] }
    expect(await read()).toMatchObject(paid)
    // More that is never confirmed takes nothing back.
    order.state = 'paid'
    fake.receive(id, 1)
    expect(await read()).toMatchObject(paid)
  })

  test('has the full amount in the ledger if it was too high', async () => {
    const { id, read } = await late(100)
    fake.confirm(id)
    expect(await read()).toMatchObject({ state: 'paid', payments: [{ total: { amount: 10_000 } }] })
  })

  test('is underpaid if a part of it was double-spent', async () => {
    const { id, read, payments } = await late(40, 46)
    payments.pop()
    expect(await read()).toMatchObject({ ...nothing, state: 'pending' })
    fake.confirm(id)
    expect(await read()).toMatchObject({ ...nothing, state: 'underpaid' })
  })

  test.each(['Invalid', 'removed'] as const)('is declined if all of it was double-spent (%s)', async (how) => {
    const { read, payments } = await late(86)
    if (how === 'removed') payments.pop()
    else payments[0]!.status = how
    expect(await read()).toMatchObject({ ...nothing, state: 'declined' })
  })

  test.each([
    ['Settled', 'paid'],
    ['Invalid', 'declined'],
  ] as const)('is what the operator decides: %s', async (status, state) => {
    const { id, read } = await late(86)
    fake.mark(id, status)
    expect(await read()).toMatchObject({ state })
  })
})
