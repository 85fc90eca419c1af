import type { Messages } from './en.ts'

export const pt: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Escolha como pagar',
  chooseHint: 'Sua carteira ou corretora precisa enviar pela rede que você escolher aqui.',
  networkSlow: 'Com atraso',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  proceed: 'Continuar',
  working: 'Carregando…',
  tokenOnNetwork: '{token} em {network}',
  change: 'Mudar token ou rede',

  waitingTitle: 'Aguardando seu pagamento',
  waitingNext: 'Envie o valor exato. Esta página é atualizada automaticamente.',
  choosingTitle: 'Tudo pronto',
  seenTitle: 'Pagamento detectado',
  seenNext: 'Você não precisa fazer mais nada. Confirmando em {network}, normalmente em {time}.',
  seenPartNext: 'Está sendo confirmado. Ainda faltam {due}: envie para o mesmo endereço.',
  partialTitle: 'Ainda faltam {due}',
  partialNext: 'Chegaram {received} de {expected}. Envie o restante para o mesmo endereço.',
  paidTitle: 'Pagamento confirmado',
  paidNext: 'Pronto. {merchant} foi notificado.',
  completedTitle: 'Pagamento concluído',
  completedNext: '{merchant} recebeu seu pagamento.',
  expiredTitle: 'Este pagamento expirou',
  expiredNext: 'Não envie fundos para este endereço. Volte a {merchant} para começar de novo.',
  expiredPartNext:
    'Chegaram a tempo {received} de {expected}. {merchant} vê isso e pode devolver a você.',
  lateTitle: 'Pagamento recebido com atraso',
  lateNext:
    '{late} chegaram depois do prazo. {merchant} foi notificado e pode aceitar ou reembolsar.',
  overpaidTitle: 'Você enviou {overpaid} a mais',
  overpaidNext:
    'O excedente de {overpaid} chegou a {merchant} com seu pagamento. Fale com {merchant} para um reembolso.',
  earlierNext:
    'Você também enviou dinheiro a um endereço mostrado aqui antes da nova escolha. {merchant} vê isso e pode devolver.',

  amountToSend: 'Valor exato',
  addressToSend: 'Endereço',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAmount: 'Copiar o valor exato',
  copyAddress: 'Copiar o endereço',
  amountCopied: 'O valor foi copiado.',
  addressCopied: 'O endereço foi copiado.',
  copyRefused: 'Seu navegador não permite copiar. Selecione o texto e copie você mesmo.',
  qrTitle: 'Código QR',
  qrPlain: 'Só o endereço',
  qrRequest: 'Com valor',
  qrPlainLabel: 'Código QR do endereço',
  qrRequestLabel: 'Código QR do endereço, do token e do valor',
  qrRequestHint: 'Nem toda carteira lê este código. Confira token e valor antes de enviar.',
  onlyThis: 'Envie somente {token}, e somente pela rede {network}.',
  payBy: 'Pague até {time}',
  timeLeft: 'faltam {time}',
  helpTitle: 'E se eu pagar atrasado ou a menos?',
  helpLate:
    'Um pagamento que chega atrasado não se perde. {merchant} é avisado e pode aceitar ou devolver.',
  helpFees:
    'Corretoras costumam descontar uma taxa. Se chegar menos, esta página diz quanto falta, e você envia para o mesmo endereço.',

  walletTitle: 'Ou pague com uma carteira',
  walletPay: 'Pagar com {wallet}',
  walletConnecting: 'Conecte-se em {wallet}.',
  walletSwitching: 'Mude para {network} em {wallet}.',
  walletConfirming: 'Confirme o pagamento em {wallet}.',
  walletSent: '{wallet} enviou o pagamento. Logo ele estará na rede.',
  walletDeclined: 'Você recusou em {wallet}. Nada foi enviado.',
  walletBusy: '{wallet} tem um pedido aberto. Responda a ele primeiro.',
  walletElsewhere: '{wallet} ainda está em outra rede. Mude para {network} e tente de novo.',
  walletFailed:
    '{wallet} não conseguiu enviar. Confira se há {token} suficiente, e {coin} para a taxa da rede.',
  walletTab: 'Abrir em outra aba para pagar com uma carteira',
  walletApp: 'Abrir app de carteira',
  opensTab: 'abre em outra aba',

  transfersTitle: 'Seus pagamentos',
  explorer: 'Ver no explorador',
  confirmations: 'Confirmações: {n} de {needed}',
  statusPending: 'Sendo confirmado',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Falhou na rede',
  kindLate: 'Atrasado',
  kindOther: 'Token ou rede incorretos',
  transferReturning: '{amount} estão sendo devolvidos.',
  transferReturned: '{amount} foram devolvidos.',

  hashTitle: 'Pagou e não aparece?',
  hashLabel: 'Hash da transação',
  hashHint: '0x e 64 caracteres. Sua carteira ou corretora o mostra junto ao pagamento.',
  hashSend: 'Buscar pagamento',
  hashWrong: 'Informe um hash de transação: 0x seguido de 64 caracteres.',
  lookupPayment: 'Encontrada em {network}. Ela paga isto e conta assim que for confirmada.',
  lookupLate:
    'Encontrada em {network}, mas chegou depois do prazo. Só conta se {merchant} aceitar.',
  lookupOtherNetwork:
    'Foi para o endereço certo, mas em {network}, que não foi oferecida. {merchant} a vê: pergunte lá o que acontece com ela.',
  lookupOtherToken:
    'Foi para o endereço certo em {network}, mas em outro token. {merchant} a vê: pergunte lá o que acontece com ela.',
  lookupElsewhere:
    'Encontrada em {network}. Verificamos as transferências de tokens dela, a moeda que ela mesma enviou e o saldo do endereço mostrado aqui antes e depois do bloco dela, e não encontramos nada para este pagamento. Compare o endereço na sua carteira.',
  lookupFailed: 'Falhou em {network}, então nada foi enviado. Você pode pagar de novo.',
  lookupNotMined:
    '{network} a conhece, mas ela ainda não está em um bloco. Esta página vai mostrá-la; não envie outra vez.',
  lookupUnknown:
    'Não encontramos esta transação em nenhuma rede compatível. Confira o hash e a rede.',
  lookupIncomplete:
    'Algumas redes ainda não responderam. Um pagamento para este endereço aparece aqui automaticamente. Caso contrário, tente de novo em um minuto.',

  refundTitle: 'Adicionar endereço de reembolso',
  refundLabel: 'Seu endereço',
  refundHint: 'Use sua própria carteira na rede em que pagou, não um endereço de corretora.',
  refundSend: 'Salvar',
  refundSaved: 'Se {merchant} devolver dinheiro, ele vai para {address}.',
  refundWrong: 'Isto ainda não é um endereço. São 0x e 40 caracteres de 0 a 9 e de a a f.',

  tooOften: 'Muitas tentativas. Tente de novo em um minuto.',
  tryAgain: 'Não funcionou. Tente de novo.',
  offline: 'A conexão caiu. Continuamos tentando; seu pagamento está seguro.',
  refresh: 'Atualizar esta página',
  refreshHint: 'Sem JavaScript, esta página não muda sozinha.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pago a',
  receiptFor: 'Referente a',
  receiptAmount: 'Valor',
  receiptReceived: 'Recebido',
  receiptReference: 'Referência',
  receiptDate: 'Data',
  receiptTransaction: 'Transação em {network}',
  print: 'Imprimir recibo',
  goBack: 'Voltar a {merchant}',
  close: 'Fechar',

  support: 'Dúvidas sobre este pagamento?',
  supportEmail: 'Escrever a {merchant}',
  supportPage: 'Ajuda de {merchant}',
  supportNone: 'Fale com {merchant}.',
  quote: 'Informe a referência {reference}.',
  language: 'Idioma',
  languageSet: 'Escolher',
}
