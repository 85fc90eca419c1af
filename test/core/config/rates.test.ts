import { expect, test } from 'bun:test'
import { rateSource } from '../../../core/config/rates.ts'
import { read, type Variables } from '../../../core/config/reader.ts'

const GOOD = { RATE_URL: 'https://rates.example/v1', RATE_CURRENCIES: 'EUR, JPY,EUR' }
const parse = (variables: Variables, environment: 'live' | 'sandbox' = 'live') =>
  read(variables, (reader) => rateSource(reader, environment))

test('there is no source of rates unless the operator names one', () => {
  expect(parse({})).toEqual({ ok: true, config: null })
})

test('a source has its currencies once, an age of ten minutes and a jump of a fifth', () => {
  expect(parse(GOOD)).toEqual({
    ok: true,
    config: {
      url: 'https://rates.example/v1',
      name: 'operator',
      currencies: ['EUR', 'JPY'],
      maxAgeMs: 600_000,
      maxJumpPercent: 20,
    },
  })
})

test.each([
  ['currencies without a URL', { RATE_URL: '' }],
  ['a URL without currencies', { RATE_CURRENCIES: '' }],
  ['what is no currency', { RATE_CURRENCIES: 'EUR,BTCX' }],
  ['another scheme', { RATE_URL: 'file:///etc/passwd' }],
  ['no URL', { RATE_URL: 'rates.example' }],
  ['plain http in live', { RATE_URL: 'http://rates.example/v1' }],
  ['the name of the fixed rate', { RATE_SOURCE: 'fixed' }],
  ['a name with a space', { RATE_SOURCE: 'our desk' }],
  ['an age of a second', { RATE_MAX_AGE_S: '1' }],
  ['no jump at all', { RATE_MAX_JUMP_PERCENT: '0' }],
])('%s is refused, and no value of the URL is repeated', (_name, change) => {
  const parsed = parse({ ...GOOD, ...change })
  expect(parsed.ok).toBe(false)
  if (!parsed.ok) expect(parsed.problems.join()).not.toContain('rates.example')
})

test('plain http is fine in the sandbox, and to this machine', () => {
  expect(parse({ ...GOOD, RATE_URL: 'http://rates.example/v1' }, 'sandbox').ok).toBe(true)
  expect(parse({ ...GOOD, RATE_URL: 'http://127.0.0.1:9000/' }).ok).toBe(true)
})
