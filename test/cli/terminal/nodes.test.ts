import { expect, test } from 'bun:test'
import { HttpRequestError, RpcRequestError } from 'viem'
import { refused } from '../../../cli/terminal/nodes.ts'

const URL = 'https://node.example/v2/k3y'
const BODY = { method: 'eth_call', params: [] }

test('what a node answers is said without its URL', () => {
  const error = { code: -32_000, message: `out of coffee, see ${URL}` }
  expect(() => refused('base', new RpcRequestError({ body: BODY, url: URL, error }))).toThrow(
    'base: RPC Request failed. out of coffee, see <url>',
  )
})

test('of what a gateway answers only the status is said: it may name the path, which may be a key', () => {
  const details = '<pre>Cannot POST /v2/k3y</pre>'
  expect(() => refused('base', new HttpRequestError({ url: URL, status: 404, details }))).toThrow(
    /^base: HTTP request failed\. Status 404\.$/,
  )
})

test('what is no answer of a node is thrown as it is', () => {
  expect(() => refused('base', new RangeError('too far'))).toThrow(RangeError)
})
