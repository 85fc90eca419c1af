import { en as checkout } from '../../en.ts'

const { decimalMark, groupMark, seconds, minutes, copy, copied, copyRefused } = checkout

/** What every page says. */
export const common = {
  ...{ decimalMark, groupMark, seconds, minutes, copy, copied, copyRefused },

  product: 'Remit',
  loading: 'Loading',
  retry: 'Try again',
  failedTitle: 'This could not be loaded',
  failedNext: 'Nothing was changed. Try again in a moment.',
  tooMany: 'Too many requests. Try again in {time}.',
  offline: 'There is no connection to the server. Check yours, then try again.',
  reference: 'Request {id}',
  notFoundTitle: 'There is no such page',
  notFoundNext: 'The link may be mistyped, or it is of a merchant that you do not belong to.',
  email: 'E-mail',
  remove: 'Remove',
  token: 'Token',
  from: 'From',
  to: 'Until',
  filters: 'Filters',
  clearFilters: 'Clear filters',
  downloadCsv: 'Download as CSV',
  previous: 'Newer',
  next: 'Older',
  pages: 'Pages',
  network: 'Network',
  roleOwner: 'owner',
  roleFinance: 'finance',
  roleDeveloper: 'developer',
  roleSupport: 'support',
  roleReader: 'reader',
  nobodyMore: 'Your role may not do this. Ask an owner.',
}
