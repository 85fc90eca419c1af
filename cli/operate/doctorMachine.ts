import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { shortMessage } from '../../core/base/logging.ts'
import { isSmtpUrl } from '../../core/config/dashboard.ts'
import type { Variables } from '../../core/config/reader.ts'
import { type Finding, Findings } from './finding.ts'

/** This machine's disk and memory, and its connection to the mail server. */

const FREE_LEAST_MB = 1_024
const MAIL_DEADLINE_MS = 10_000

export async function checkMachine(): Promise<Finding[]> {
  const found = new Findings('machine')
  const { bavail, bsize } = await statfs(tmpdir())
  const free = Math.floor((bavail * bsize) / 1_048_576)
  if (free < FREE_LEAST_MB) {
    found.warning(`${free} MB are free on the disk of ${tmpdir()}`, 'free up disk space')
  } else found.good(`${free} MB are free on the disk of ${tmpdir()}`)
  return found.all
}

export async function checkMailServer({
  SMTP_URL: url,
  DASHBOARD_SECRET,
}: Variables): Promise<Finding[]> {
  const found = new Findings('mail')
  if (!url) {
    if (DASHBOARD_SECRET) found.warning('SMTP_URL is missing', 'set it, or no emails are sent')
    return found.all
  }
  if (!isSmtpUrl(url)) {
    found.problem('SMTP_URL is not an smtp:// or smtps:// URL', 'percent-encode its password')
    return found.all
  }
  const limits = { connectionTimeout: MAIL_DEADLINE_MS, socketTimeout: MAIL_DEADLINE_MS }
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ url, ...limits })
  try {
    await transport.verify()
    found.good('the mail server accepts the credentials')
  } catch (error) {
    found.problem(
      `the mail server refuses the connection: ${shortMessage(error)}`,
      'check SMTP_URL',
    )
  } finally {
    transport.close()
  }
  return found.all
}
