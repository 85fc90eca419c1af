/** The audit log. */
export const audit = {
  auditHint: 'Every change, with who made it and from where. Nobody can alter this list.',
  auditNoneTitle: 'Nothing was changed yet',
  auditNoneNext: 'Every change shows here, with who made it and from where.',
  auditDone: 'Done',
  auditRefused: 'Refused',
  auditUnknown: 'Cut off',
  auditNewest: 'Newest',
  auditOlder: 'Older',
}
