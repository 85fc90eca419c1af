/** Builds the image of deploy/Dockerfile without Docker and without an image registry. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../core/base/version.ts'
import { mustRun, run } from './tools.ts'

export const IMAGE = 'localhost/remit-check:latest'
/** Maximum size of the compressed image. */
const MOST_BYTES = 160_000_000
/** Requires neither user namespaces nor control groups. */
const CHROOT = { BUILDAH_ISOLATION: 'chroot' }
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

export interface Built {
  readonly seconds: number
  readonly compressedBytes: number
}

/**
 * Builds the image and measures it. CHECK_DEPLOY_BASE sets the base, e.g. `docker.io/oven/bun:1.4.5-slim`;
 * by default the base is built from Debian's packages and the running Bun, with the content of `oven/bun:slim`.
 * @throws if it can't be built, or is too large.
 */
export async function buildImage(root: string): Promise<Built> {
  const base = process.env.CHECK_DEPLOY_BASE || (await standInBase())
  const started = performance.now()
  const colon = base.lastIndexOf(':')
  const settings = [`BASE=${base.slice(0, colon)}`, `BUN=${base.slice(colon + 1)}`]
    .concat(`VERSION=${VERSION}`)
    .flatMap((argument) => ['--build-arg', argument])
  const pull = process.env.CHECK_DEPLOY_BASE ? '--pull' : '--pull-never'
  const file = join(root, 'deploy/Dockerfile')
  await mustRun(
    ['buildah', 'bud', '--format', 'docker', pull, ...settings, '-f', file, '-t', IMAGE, root],
    CHROOT,
  )
  const seconds = (performance.now() - started) / 1000
  const compressedBytes = await compressedSize()
  if (compressedBytes > MOST_BYTES) {
    throw new Error(`the compressed image has ${compressedBytes} bytes, more than ${MOST_BYTES}`)
  }
  return { seconds, compressedBytes }
}

/** Built once and kept, because fetching the packages takes a minute. */
async function standInBase(): Promise<string> {
  const name = `localhost/remit-check-base:${Bun.version}`
  if ((await run(['buildah', 'inspect', '--type', 'image', name])).code === 0) return name
  const folder = mkdtempSync(join(tmpdir(), 'remit-base-'))
  try {
    const files = join(folder, 'root.tar')
    const packages = '--include=ca-certificates,libstdc++6'
    await mustRun(['mmdebstrap', '--variant=essential', packages, 'bookworm', files])
    const container = (await mustRun(['buildah', 'from', 'scratch'], CHROOT)).trim()
    const copy = (from: string, to: string) =>
      mustRun(['buildah', 'copy', '--quiet', container, from, to], CHROOT)
    await mustRun(['buildah', 'add', '--quiet', container, files, '/'], CHROOT)
    await copy(process.execPath, '/usr/local/bin/bun')
    // This machine's certificates, which may include those of a proxy.
    await copy(CERTIFICATES, CERTIFICATES)
    const trust = `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`
    await mustRun(['buildah', 'config', '--env', trust, container], CHROOT)
    await mustRun(['buildah', 'commit', '--rm', '--quiet', container, name], CHROOT)
    return name
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The size in a registry: the compressed layers. */
async function compressedSize(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'remit-image-'))
  try {
    const to = `dir:${folder}`
    await mustRun(['buildah', 'push', '--quiet', '--compression-format', 'gzip', IMAGE, to])
    return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
