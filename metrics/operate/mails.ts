import { Counter, type Registry } from 'prom-client'
import { linkMailsLeftOut } from '../../store/events/mails.ts'

/** The mails with links that this process did not store, because their mailbox had too many. */
export function showLeftOutMails(registry: Registry): void {
  const leftOut = new Counter({
    name: 'remit_link_mails_left_out_total',
    help: 'Mails with links that were left out, because their mailbox had too many within an hour.',
    registers: [registry],
    collect() {
      leftOut.reset()
      leftOut.inc(linkMailsLeftOut())
    },
  })
}
