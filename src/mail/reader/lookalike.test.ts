import { expect, test } from 'vitest'
import { lookalikeOf } from './lookalike.ts'

test.each([
  ['paypa1.com', 'paypal.com'],
  ['xn--pple-43d.com', 'apple.com'],
  ['paypal.com.evil.net', 'paypal.com'],
  ['secure-paypal.com', 'paypal.com'],
  ['mail.rnicrosoft.com', 'microsoft.com'],
  ['paypla.com', 'paypal.com'],
  ['netfl1x.co', 'netflix.com'],
  ['amazonn.com', 'amazon.com'],
])('%s imitates %s', (domain, brand) => expect(lookalikeOf(domain)).toBe(brand))

test.each([
  'paypal.com',
  'mail.paypal.com',
  'PAYPAL.DE',
  'amazon.co.jp',
  'example.com',
  'apply.com',
  'chasm.org',
  '',
  'xn--a',
])('%s imitates nothing', (domain) => expect(lookalikeOf(domain)).toBeNull())
