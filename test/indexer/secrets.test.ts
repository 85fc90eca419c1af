import { expect, test } from 'bun:test'
import { parseIndexerConfig } from '../../core/config/processes.ts'
import { hider } from '../../indexer/supervision/secrets.ts'

const ADDRESS = '0x477e549693c65def39ee1e9d6af17490bd5fc0c5'

test('keys in URLs, the database password and the operator token are hidden, hosts are not', () => {
  const parsed = parseIndexerConfig({
    DATABASE_URL: 'postgres://remit:p%40ssword@db.example/remit',
    REDIS_URL: 'redis://127.0.0.1',
    HUB_ADDRESS: ADDRESS,
    FEE_COLLECTOR: ADDRESS,
    OPERATOR_TOKEN: 'open-sesame',
    RPC_URL_SEPOLIA:
      'https://rpc.example/v2/key-number-one,https://rpc2.example/?apikey=key-number-two&v=1',
    WS_URL_SEPOLIA: 'wss://user-key:pass-key@ws.example/',
  })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const hide = hider(parsed.config)
  expect(
    hide(
      'https://rpc.example/v2/key-number-one https://rpc2.example/?apikey=key-number-two&v=1 wss://ws.example',
    ),
  ).toBe('https://rpc.example/*** https://rpc2.example/?*** wss://ws.example')
  expect(hide('v2: key-number-one, v=1&apikey=key-number-two')).toBe('v2: ***, v=1&apikey=***')
  expect(hide('wss://user-key:pass-key@ws.example/')).toBe('wss://***:***@ws.example/')
  expect(hide('p@ssword p%40ssword Bearer open-sesame')).toBe('*** *** Bearer ***')
  expect(hide('postgres://remit@db.example/remit')).toBe('postgres://remit@db.example/remit')
})
