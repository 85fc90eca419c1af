/** Checks the Compose file: references exist, and services are hardened. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Service {
  readonly image?: string
  readonly command?: readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly env_file?: string
  readonly secrets?: readonly { readonly source: string; readonly target: string }[]
  readonly environment?: Readonly<Record<string, string>>
  /** Names, or a map with an address each. */
  readonly networks?:
    | readonly string[]
    | Readonly<Record<string, { readonly ipv4_address?: string; readonly ipv6_address?: string }>>
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

/** Every problem as a message; empty if there is none. */
export function composeProblems(root: string): string[] {
  const folder = join(root, 'deploy')
  const text = readFileSync(join(folder, 'compose.yaml'), 'utf8')
  const compose: unknown = Bun.YAML.parse(text)
  if (!isCompose(compose)) return ['deploy/compose.yaml lacks services, networks or secrets']
  const example = readFileSync(join(folder, 'example.env'), 'utf8')
  const script = readFileSync(join(folder, 'secrets.sh'), 'utf8')
  const variables = [...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name)
  return [
    ...variables
      .filter((name) => !new RegExp(`^${name}=`, 'm').test(example))
      .map((name) => `deploy/example.env lacks ${name}`),
    ...Object.keys(compose.secrets)
      .filter((name) => !script.includes(name.replace(/^(database_password)_.*/, '$1')))
      .map((name) => `deploy/secrets.sh does not create ${name}`),
    ...proxyProblems(compose.services),
    ...Object.entries(compose.services).flatMap(([name, { image }]) => imageProblems(name, image)),
    ...Object.entries(compose.networks).flatMap(([name, network]) =>
      networkProblems(name, network),
    ),
    ...Object.entries(compose.services).flatMap(([name, service]) =>
      serviceProblems(root, compose, service).map((problem) => `${name} ${problem}`),
    ),
  ]
}

function serviceProblems(root: string, compose: Compose, service: Service): string[] {
  const named = (names: readonly string[] | undefined, all: Readonly<Record<string, unknown>>) =>
    (names ?? [])
      .filter((name) => !(name in all))
      .map((name) => `refers to ${name}, which does not exist`)
  const script = service.command?.[0] ?? ''
  const isOurs = service.env_file !== undefined
  return [
    ...named(networksOf(service), compose.networks),
    ...named(Object.keys(service.depends_on ?? {}), compose.services),
    ...named(
      service.secrets?.map(({ source }) => source),
      compose.secrets,
    ),
    ...(script.endsWith('.ts') && !existsSync(join(root, script)) ? [`runs ${script}`] : []),
    ...(isOurs && service.read_only !== true ? ['may write into its image'] : []),
    ...(isOurs && service.cap_drop?.[0] !== 'ALL' ? ['keeps capabilities'] : []),
  ]
}

function networksOf({ networks = [] }: Service): readonly string[] {
  return isList(networks) ? networks : Object.keys(networks)
}

function isList(networks: NonNullable<Service['networks']>): networks is readonly string[] {
  return Array.isArray(networks)
}

/** Other containers of that network must not be able to set a client's address. */
function proxyProblems({ api, caddy }: Compose['services']): string[] {
  const networks = caddy?.networks ?? []
  const fixed = isList(networks)
    ? []
    : Object.values(networks).flatMap(({ ipv4_address: v4, ipv6_address: v6 }) => [
        ...(v4 === undefined ? [] : [`${v4}/32`]),
        ...(v6 === undefined ? [] : [`${v6}/128`]),
      ])
  const trusted = api?.environment?.TRUSTED_PROXIES
  if (fixed.length === 2 && trusted === fixed.join(',')) return []
  return [`api trusts ${trusted}, and caddy has ${fixed.join() || 'no address of its own'}`]
}

/** A moving tag could start another version at any restart. */
function imageProblems(name: string, image = ''): string[] {
  const isExact = /:\d+\.\d+(\.\d+)?(-[\w.]+)?(@sha256:[0-9a-f]{64})?$/.test(image)
  const isOwn = image.startsWith('remit:')
  return isExact || isOwn ? [] : [`${name} runs ${image || 'no image'}, which is no exact version`]
}

/** Without IPv6, all IPv6 clients would have the address of the bridge. */
function networkProblems(name: string, network: unknown): string[] {
  const { internal = false, enable_ipv6: hasIpv6 = false } = Object(network)
  return internal || hasIpv6 ? [] : [`the network ${name} has no IPv6`]
}

function isCompose(value: unknown): value is Compose {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['services', 'networks', 'secrets'].every((part) => part in value)
  )
}
