import type { Messages } from './en.ts'

export const pl: Messages = {
  decimalMark: ',',
  groupMark: '\u00a0',

  title: 'Zapłać: {merchant}',

  chooseTitle: 'Wybierz sposób płatności',
  chooseHint: 'Wyślij z portfela lub giełdy w sieci, którą tu wybierzesz.',
  networkSlow: 'Opóźniona',
  usually: 'zwykle {time}',
  seconds: '{n|one:# sekunda|few:# sekundy|many:# sekund|other:# sekundy}',
  minutes: '{n|one:# minuta|few:# minuty|many:# minut|other:# minuty}',
  proceed: 'Dalej',
  working: 'Ładowanie…',
  tokenOnNetwork: '{token} w sieci {network}',
  change: 'Zmień token lub sieć',

  waitingTitle: 'Czekamy na płatność',
  waitingNext: 'Wyślij dokładną kwotę. Ta strona odświeża się automatycznie.',
  choosingTitle: 'Wszystko gotowe',
  seenTitle: 'Wykryto płatność',
  seenNext:
    'Nie musisz nic więcej robić. Trwa potwierdzanie w sieci {network}. Zwykle trwa to: {time}.',
  seenPartNext: 'Jest potwierdzana. Brakuje jeszcze {due}: wyślij na ten sam adres.',
  partialTitle: 'Brakuje jeszcze {due}',
  partialNext: 'Dotarło {received} z {expected}. Wyślij resztę na ten sam adres.',
  paidTitle: 'Płatność potwierdzona',
  paidNext: 'Gotowe. Powiadomiony odbiorca: {merchant}.',
  completedTitle: 'Płatność zakończona',
  completedNext: 'Płatność dotarła. Odbiorca: {merchant}.',
  expiredTitle: 'Ta płatność wygasła',
  expiredNext: 'Nie wysyłaj środków na ten adres. Aby zacząć od nowa, wróć do: {merchant}.',
  expiredPartNext:
    'Na czas dotarło {received} z {expected}. {merchant} to widzi i może zwrócić pieniądze.',
  lateTitle: 'Otrzymano spóźnioną płatność',
  lateNext:
    '{late} dotarło po terminie. {merchant} otrzymał powiadomienie i może je przyjąć lub zwrócić.',
  overpaidTitle: 'Wysłano o {overpaid} za dużo',
  overpaidNext:
    'Nadpłata {overpaid} trafiła do odbiorcy razem z płatnością. W sprawie zwrotu skontaktuj się z: {merchant}.',
  earlierNext:
    'Część pieniędzy trafiła na adres pokazany tu przed zmianą wyboru. {merchant} to widzi i może je zwrócić.',

  amountToSend: 'Dokładna kwota',
  addressToSend: 'Adres',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  copyAmount: 'Kopiuj dokładną kwotę',
  copyAddress: 'Kopiuj adres',
  amountCopied: 'Kwota jest skopiowana.',
  addressCopied: 'Adres jest skopiowany.',
  copyRefused: 'Przeglądarka nie pozwala kopiować. Zaznacz tekst i skopiuj go samodzielnie.',
  qrTitle: 'Kod QR',
  qrPlain: 'Tylko adres',
  qrRequest: 'Z kwotą',
  qrPlainLabel: 'Kod QR adresu',
  qrRequestLabel: 'Kod QR adresu, tokena i kwoty',
  qrRequestHint: 'Nie każdy portfel czyta ten kod. Przed wysłaniem sprawdź token i kwotę.',
  onlyThis: 'Wysyłaj tylko {token} i tylko w sieci {network}.',
  payBy: 'Zapłać do {time}',
  timeLeft: 'zostało {time}',
  helpTitle: 'A jeśli zapłacę za późno lub za mało?',
  helpLate:
    'Spóźniona płatność nie przepada. {merchant} dostaje wiadomość i może ją przyjąć lub zwrócić.',
  helpFees:
    'Giełdy często potrącają opłatę. Jeśli dotrze za mało, ta strona powie, ile brakuje, a resztę wyślesz na ten sam adres.',

  walletTitle: 'Albo zapłać z portfela',
  walletPay: 'Zapłać przez {wallet}',
  walletConnecting: 'Połącz się w {wallet}.',
  walletSwitching: 'Przełącz {wallet} na sieć {network}.',
  walletConfirming: 'Potwierdź płatność w {wallet}.',
  walletSent: 'Płatność wysłana przez {wallet}. Wkrótce pojawi się tutaj.',
  walletDeclined: 'Odmowa w {wallet}. Nic nie wysłano.',
  walletBusy: 'W {wallet} jest otwarte pytanie. Najpierw na nie odpowiedz.',
  walletElsewhere: '{wallet} jest nadal w innej sieci. Przełącz na {network} i spróbuj ponownie.',
  walletFailed:
    'Nie udało się wysłać przez {wallet}. Sprawdź, czy jest tam dość {token} oraz {coin} na opłatę sieci.',
  walletTab: 'Otwórz w nowej karcie, aby zapłacić z portfela',
  walletApp: 'Otwórz portfel',
  opensTab: 'otwiera się w nowej karcie',

  transfersTitle: 'Twoje płatności',
  explorer: 'Zobacz w eksploratorze',
  confirmations: 'Potwierdzenia: {n} z {needed}',
  statusPending: 'Potwierdzana',
  statusConfirmed: 'Potwierdzona',
  statusReverted: 'Nieudana',
  kindLate: 'Spóźniona',
  kindOther: 'Niewłaściwy token lub sieć',
  transferReturning: 'Zwrot {amount} w toku.',
  transferReturned: 'Zwrócono {amount}.',

  hashTitle: 'Zapłacono, ale nie widać?',
  hashLabel: 'Hash transakcji',
  hashHint: '0x i 64 znaki. Twój portfel lub giełda pokazuje go przy płatności.',
  hashSend: 'Znajdź płatność',
  hashWrong: 'Wpisz hash transakcji: 0x i 64 znaki.',
  lookupPayment: 'Znaleziono płatność w sieci {network}. Liczy się po potwierdzeniu.',
  lookupLate:
    'Znaleziono płatność w sieci {network}, ale dotarła po terminie. Liczy się tylko, jeśli {merchant} ją przyjmie.',
  lookupOtherNetwork:
    'Znaleziono płatność na właściwy adres, ale w sieci {network}, której nie oferowano. {merchant} ją widzi. Skontaktuj się z: {merchant}.',
  lookupOtherToken:
    'Znaleziono płatność na właściwy adres w sieci {network}, ale w innym tokenie. {merchant} ją widzi. Skontaktuj się z: {merchant}.',
  lookupElsewhere:
    'Znaleziono transakcję w sieci {network}, ale nie zapłaciła na ten adres. Sprawdziliśmy jej transfery tokenów, wysłaną monetę oraz saldo adresu przed jej blokiem i po nim. Porównaj adres w swoim portfelu.',
  lookupFailed:
    'Ta transakcja nie powiodła się w sieci {network}, więc nic nie wysłano. Możesz wysłać płatność ponownie.',
  lookupNotMined:
    'Znaleziono transakcję w sieci {network}, ale nie ma jej jeszcze w bloku. Pojawi się tutaj, gdy tam trafi. Nie wysyłaj płatności ponownie.',
  lookupUnknown: 'Nie znaleźliśmy tej transakcji w żadnej obsługiwanej sieci. Sprawdź hash i sieć.',
  lookupIncomplete:
    'Niektóre sieci jeszcze nie odpowiedziały. Płatność na ten adres pojawi się tu automatycznie. W innym przypadku spróbuj ponownie za minutę.',

  refundTitle: 'Dodaj adres do zwrotu',
  refundLabel: 'Twój adres',
  refundHint: 'Użyj własnego portfela w sieci, w której zapłacono, a nie adresu giełdy.',
  refundSend: 'Zapisz',
  refundSaved: 'Zwroty ({merchant}) trafią na {address}.',
  refundWrong: 'Wpisz adres: 0x i 40 znaków.',

  tooOften: 'Zbyt wiele prób. Spróbuj ponownie za minutę.',
  tryAgain: 'Nie udało się. Spróbuj ponownie.',
  offline: 'Utracono połączenie. Ponowne łączenie… Twoja płatność jest bezpieczna.',
  refresh: 'Odśwież tę stronę',
  refreshHint: 'Bez JavaScriptu ta strona nie odświeża się automatycznie.',

  receiptTitle: 'Potwierdzenie',
  receiptMerchant: 'Odbiorca',
  receiptFor: 'Za co',
  receiptAmount: 'Kwota',
  receiptReceived: 'Otrzymano',
  receiptReference: 'Numer',
  receiptDate: 'Data',
  receiptTransaction: 'Transakcja w sieci {network}',
  print: 'Drukuj potwierdzenie',
  goBack: 'Wróć: {merchant}',
  close: 'Zamknij',

  support: 'Pytania o tę płatność?',
  supportEmail: 'Napisz: {merchant}',
  supportPage: 'Pomoc: {merchant}',
  supportNone: 'Skontaktuj się z: {merchant}.',
  quote: 'Podaj numer {reference}.',
  language: 'Język',
  languageSet: 'Zastosuj',
}
