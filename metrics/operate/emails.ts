import { Counter, type Registry } from 'prom-client'
import { linkEmailsLeftOut } from '../../store/events/emails.ts'

/** Emails with links that this process did not store, because their recipient had too many. */
export function showLeftOutEmails(registry: Registry): void {
  const leftOut = new Counter({
    name: 'remit_link_mails_left_out_total',
    help: 'Emails with links that were left out, because their recipient had too many within an hour.',
    registers: [registry],
    collect() {
      leftOut.reset()
      leftOut.inc(linkEmailsLeftOut())
    },
  })
}
