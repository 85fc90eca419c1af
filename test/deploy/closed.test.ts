import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

test('Redis gets its configuration when it is written, and again when its container is restarted', () => {
  const folder = mkdtempSync(join(tmpdir(), 'remit-redis-'))
  const [bin, secrets] = [join(folder, 'bin'), join(folder, 'secrets')]
  for (const each of [bin, secrets]) mkdirSync(each)
  writeFileSync(join(secrets, 'REDIS_PASSWORD'), 'secret')
  const says = `echo "$(basename "$0") $1 $(stat -c %a ${folder}/redis.conf) $(cat ${folder}/redis.conf)"`
  for (const name of ['chown', 'install', 'docker-entrypoint.sh']) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${says}\n`, { mode: 0o755 })
  }
  const { services } = Object(Bun.YAML.parse(read('compose.yaml')))
  const [sh, option, command] = services.redis.command
  const script = String(command)
    .replaceAll('$$', '$')
    .replaceAll('/tmp/', `${folder}/`)
    .replaceAll('/run/secrets', secrets)
  for (let start = 0; start < 2; start++) {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
    const { stdout } = Bun.spawnSync([sh, option, script], { env })
    expect(stdout.toString().split('\n')).toEqual([
      'chown redis 600 requirepass secret',
      'docker-entrypoint.sh redis-server 600 requirepass secret',
      '',
    ])
  }
  rmSync(folder, { recursive: true })
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
