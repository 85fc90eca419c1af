import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A certificate in PEM that its own key has signed, of a server at `altName`, e.g. IP:127.0.0.1. */
export function newCertificate(altName: string): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'remit-certificate-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const args = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2
    -subj /CN=${altName.replace(/.*:/, '')} -addext subjectAltName=${altName}`
  const made = Bun.spawnSync(['openssl', ...args.split(/\s+/), '-keyout', key, '-out', cert], {
    stderr: 'pipe',
  })
  if (!made.success) throw new Error(`openssl: ${made.stderr.toString()}`)
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}
