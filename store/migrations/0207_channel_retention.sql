-- Records of channels that nobody has paid into are no money, and end after some time.
select allow('{worker}', '{delete}', '{table x402_channel, table x402_channel_voucher}');
