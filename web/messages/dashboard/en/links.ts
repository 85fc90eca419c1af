/** Payment links. */
export const links = {
  invoiceKinds: 'Invoices and payment links',
  links: 'Payment links',
  linksHint: 'Share one link with many customers. Each payment creates its own invoice.',
  linksNoneTitle: 'No payment links yet',
  linksNoneNext: 'Create your first link. You don’t need a shop or any code.',
  linksShown: '{n|one:# payment link|other:# payment links} shown',
  linkAdd: 'New payment link',
  linkAddDo: 'Create link',
  linkForHint: 'Shown to payers next to the amount.',
  linkAnyToken: 'Customer chooses',
  linkLimit: 'Payment limit',
  linkLimitHint: 'Optional. Without a limit, the link can be paid any number of times.',
  linkUsesOf: '{n} of {most}',
  linkCode: 'QR code',
}
