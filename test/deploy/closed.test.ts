import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import { composeProblems } from '../../dev/deploy/compose.ts'

/** What deployments get that follow the Compose file and the chart: clients that count apart, and closed servers. */

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, 'deploy', file), 'utf8')

test('the Compose file has exact versions, addresses of its own for Caddy, and IPv6', () => {
  expect(composeProblems(ROOT)).toEqual([])
})

test('every process gets the password of Redis, and Redis asks for it', () => {
  const { services } = Object(Bun.YAML.parse(read('compose.yaml')))
  const names = ['redis', 'migrate', 'api', 'indexer', 'worker', 'notifier', 'remit']
  for (const name of names) {
    const secrets: { readonly target: string }[] = services[name].secrets
    expect({ name, targets: secrets.map(({ target }) => target) }).toEqual({
      name,
      targets: expect.arrayContaining(['REDIS_PASSWORD']),
    })
  }
  expect(String(services.redis.command)).toContain('requirepass')
  expect(String(services.redis.command)).not.toMatch(/--requirepass/)
})

test('the chart demands TRUSTED_PROXIES with an ingress, behind which all clients were one', () => {
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('chart/values.schema.json')))
  const values = Object(Bun.YAML.parse(read('chart/values.yaml')))
  const withIngress = (config: Readonly<Record<string, unknown>>) => ({
    ...values,
    config: { ...values.config, ...config },
    api: { ...values.api, ingress: { ...values.api.ingress, enabled: true } },
  })
  expect(isValid(values)).toBe(true)
  expect(isValid(withIngress({}))).toBe(false)
  expect(isValid(withIngress({ TRUSTED_PROXIES: '' }))).toBe(false)
  expect(isValid(withIngress({ TRUSTED_PROXIES: '10.244.0.0/16' }))).toBe(true)
})
