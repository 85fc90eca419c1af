import { storeConfig } from '../store/invoice.ts'

/** What the test of changes of recipients and the processes that it starts have in common. */
export const RECIPIENT_CONFIG = storeConfig({ HUB_ADDRESS: `0x${'7'.repeat(40)}` })
