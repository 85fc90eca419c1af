/** Checks the chart: helm's linter, the schema of its values, and the types of the rendered objects. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../core/base/version.ts'
import { mustRun, run } from './tools.ts'

/** All options enabled, so that each template is checked. */
const EVERYTHING = [
  'api.ingress.enabled=true',
  'config.TRUSTED_PROXIES=10.244.0.0/16',
  'serviceMonitor.enabled=true',
  'workers[0].chain=base',
  'workers[0].replicas=2',
  'workers[1].chain=polygon',
  'workers[1].replicas=1',
]
/** Values that the schema must refuse: a typo, a secret in the wrong place, and an untrusted ingress. */
const REFUSED = [
  'api.replica=3',
  'config.CONFIG_SIGNER_KEY=0x01',
  'metricsPort=metrics',
  'api.ingress.enabled=true',
  'image.digest=latest',
]

interface Described {
  readonly apiVersion: string
  readonly kind: string
}

/** @throws for the first problem. Returns the number of checked objects. */
export async function checkChart(root: string, helm: string, modules: string): Promise<number> {
  const chart = join(root, 'deploy/chart')
  await mustRun([helm, 'lint', '--strict', chart])
  for (const value of REFUSED) {
    if ((await run([helm, 'template', 'remit', chart, '--set', value])).code !== 0) continue
    throw new Error(`the schema of the chart's values accepts ${value}`)
  }
  requireVersion(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))
  const plain = await render([helm, 'template', 'remit', chart])
  const full = await render([helm, 'template', 'remit', chart, '--set', EVERYTHING.join(',')])
  for (const object of [...plain, ...full]) await validate(object, modules)
  return plain.length + full.length
}

function requireVersion(text: string): void {
  if (text.includes(`appVersion: "${VERSION}"`)) return
  throw new Error(`appVersion of deploy/chart/Chart.yaml is not ${VERSION}, as package.json has it`)
}

async function render(command: readonly string[]): Promise<Described[]> {
  const text = await mustRun(command)
  const parts = text.split(/^---$/m).map((part): unknown => Bun.YAML.parse(part))
  return parts.filter(isDescribed)
}

function isDescribed(value: unknown): value is Described {
  return typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value
}

/** Prometheus' kinds have no types here. */
async function validate(object: Described, modules: string): Promise<void> {
  if (object.apiVersion.startsWith('monitoring.coreos.com/')) return
  try {
    const path = Bun.resolveSync(`kubernetes-models/${object.apiVersion}`, modules)
    const kinds: Readonly<Record<string, new (data: unknown) => { validate(): void }>> =
      await import(path)
    const Kind = kinds[object.kind]
    if (Kind === undefined) throw new Error(`there is no kind ${object.kind}`)
    new Kind(object).validate()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`the chart renders an invalid ${object.kind}: ${reason}`, { cause })
  }
}
