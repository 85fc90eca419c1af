import { expect, test } from 'bun:test'
import { priceIn } from '../../../web/dashboard/x402/price.ts'

const usdc = { symbol: 'USDC', decimals: 6, currency: 'USD', takesAuthorizations: true }
const eurc = { ...usdc, symbol: 'EURC', currency: 'EUR' }

test('a price in dollars goes as it was entered, one in euros in base units', () => {
  expect(priceIn('0.01', usdc)).toEqual({ amountUsd: '0.01' })
  expect(priceIn('0.01', eurc)).toEqual({ amount: '10000' })
  expect(priceIn('12', eurc)).toEqual({ amount: '12000000' })
})

test('what is no amount is left to the API to refuse', () => {
  expect(priceIn('0,01', eurc)).toEqual({ amount: '0,01' })
  expect(priceIn('0.0000001', eurc)).toEqual({ amount: '0.0000001' })
})
