// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {HubTest} from "./HubTest.sol";

/// @notice Everything that can happen to a hub, in any order: three merchants, a few invoices each,
///         two tokens, blacklists that come and go, keys that are stolen, and replays.
/// @dev    It notes what the invariants need and cannot be read from the chain.
contract Business is HubTest {
    uint256 private constant MERCHANTS = 3;
    uint256 private constant INVOICES = 3;

    /// @dev What the collector received for a deposit, over both tokens.
    mapping(address deposit => uint256) public feesOf;
    mapping(address deposit => uint256) public capOf;
    mapping(uint256 merchant => uint32) public signedVersion;
    address[] private _deposits;
    address[] private _forwarders;
    address[] private _treasuries;
    uint256 public sweeps;
    uint256 public settlements;
    uint256 public refunds;

    uint256 private _count;
    IRemitHub.DepositRefund[] private _oldRefunds;
    IRemitHub.Authorization[] private _oldAuthorizations;
    IRemitHub.MerchantConfig private _oldConfig;

    constructor() {
        setUp();
        usdc.mint(vm.addr(PAYER_KEY), 1e15);
        for (uint256 m; m < MERCHANTS; ++m) {
            _forwarders.push(hub.forwarderAddress(merchantOf(m)));
            for (uint256 i; i < INVOICES; ++i) {
                IRemitHub.Sweep memory item = invoice(m, i);
                _deposits.push(depositOf(item));
                capOf[depositOf(item)] = item.maxFee;
            }
            changeTreasury(m);
        }
    }

    // What happens

    function payDeposit(uint256 seed, uint256 amount) external {
        address deposit = _deposits[seed % _deposits.length];
        amount = within(amount, 1, 1e9);
        if (seed & 256 == 0) usdc.mint(deposit, amount);
        else usdt.mint(deposit, amount);
    }

    function settlePayments(uint256 seed, uint256 amount, bool distributed) external {
        uint256 m = seed % MERCHANTS;
        address forwarder = _forwarders[m];
        uint256 held = usdc.balanceOf(forwarder);
        IRemitHub.Authorization[] memory items = new IRemitHub.Authorization[](2);
        amount = within(amount, 1, 1e9);
        items[0] = authorization(merchantOf(m), amount, bytes32(++_count));
        items[1] = authorization(merchantOf(m), amount, bytes32(++_count));
        // One bad item among the two must not change the other.
        items[seed >> 8 & 1].value += 1;
        settleAll(items);
        vm.assertEq(usdc.balanceOf(forwarder), held + amount, "the good item alone");
        _oldAuthorizations.push(items[1 - (seed >> 8 & 1)]);
        ++settlements;
        if (distributed) distributeOne(seed);
    }

    function distributeOne(uint256 seed) public {
        uint256 m = seed % MERCHANTS;
        address token = seed & 512 == 0 ? address(usdc) : address(usdt);
        distribute(token, distributionOf(merchantOf(m), signedVersion[m]));
    }

    function payForwarderWithTheOtherToken(uint256 seed, uint256 amount) external {
        usdt.mint(_forwarders[seed % MERCHANTS], within(amount, 1, 1e9));
    }

    /// @dev A relayer sweeps with any amount and any fee, right or wrong.
    function sweepAny(uint256 seed, uint256 amount, uint256 fee) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        address deposit = depositOf(item);
        uint256 held = balance(item.token, deposit);
        item.amount = within(amount, 0, held + held / 8);
        item.fee = within(fee, 0, item.maxFee + item.maxFee / 8);
        uint256 collected = balance(item.token, COLLECTOR);
        sweep(item);
        uint256 moved = held - balance(item.token, deposit);
        uint256 charged = balance(item.token, COLLECTOR) - collected;
        feesOf[deposit] += charged;
        vm.assertTrue(
            moved == 0 || moved == item.amount || moved == item.amount - item.fee,
            "all of it, all but a refused fee, or nothing"
        );
        vm.assertTrue(charged == 0 || charged == item.fee, "the fee named or none");
        if (moved != 0) ++sweeps;
    }

    /// @dev A good sweep between two bad ones.
    function sweepBetweenBadOnes(uint256 seed) external {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        items[0] = anySweep(seed >> 16);
        items[1] = anySweep(seed);
        items[2] = anySweep(seed >> 32);
        address deposit = depositOf(items[1]);
        uint256 held = balance(items[1].token, deposit);
        if (held == 0) return;
        items[0].amount = type(uint128).max;
        items[1].amount = held;
        items[2].amount = type(uint128).max;
        sweepAll(items);
        vm.assertEq(balance(items[1].token, deposit), 0, "the good one is paid");
    }

    function sweepAsStranger(uint256 seed) external {
        IRemitHub.Sweep memory item = anySweep(seed);
        item.amount = balance(item.token, depositOf(item));
        vm.prank(STRANGER);
        (bool ok,) = address(hub).call(abi.encodeCall(hub.sweep, (batch(item), plenty())));
        vm.assertFalse(ok, "refused");
    }

    function refundSome(uint256 seed, uint256 amount) external {
        IRemitHub.Sweep memory terms = anySweep(seed);
        address deposit = depositOf(terms);
        IRemitHub.DepositRefund memory item;
        (item.merchantId, item.invoiceId) = (terms.merchantId, terms.invoiceId);
        (item.recipient, item.maxFee) = (terms.recipient, terms.maxFee);
        item.refund = IRemitHub.Refund(
            ++_count,
            deposit,
            terms.token,
            RECIPIENT,
            within(amount, 1, balance(terms.token, deposit) + 10),
            0,
            block.timestamp
        );
        item.signature = signed(item.refund, REFUND_KEY);
        refund(item);
        if (hub.isRefundSpent(item.refund.refundId)) {
            _oldRefunds.push(item);
            ++refunds;
        }
    }

    function rescueSome(uint256 seed, uint256 amount) external {
        uint256 m = seed % MERCHANTS;
        IRemitHub.ForwarderRescue memory item;
        item.merchantId = merchantOf(m);
        address token = seed & 512 == 0 ? address(usdc) : address(usdt);
        uint256 held = balance(token, _forwarders[m]);
        item.refund = IRemitHub.Refund(
            ++_count,
            _forwarders[m],
            token,
            RECIPIENT,
            within(amount, 1, held + 10),
            0,
            block.timestamp
        );
        item.signature = signed(item.refund, REFUND_KEY);
        rescue(item);
    }

    function replay(uint256 seed) external {
        bytes32 before = fingerprint();
        if (_oldRefunds.length != 0) refund(_oldRefunds[seed % _oldRefunds.length]);
        if (_oldAuthorizations.length != 0) {
            settle(_oldAuthorizations[seed % _oldAuthorizations.length]);
        }
        if (_oldConfig.version != 0) configure(_oldConfig, CONFIG_KEY);
        vm.assertEq(fingerprint(), before, "a replay moves nothing");
    }

    /// @dev Signatures by keys that have no say.
    function forge(uint256 seed) external {
        bytes32 before = fingerprint();
        uint256 key = within(seed, 1, type(uint64).max);
        if (key == CONFIG_KEY || key == REFUND_KEY || key == PAYER_KEY) return;
        configure(entry(merchantOf(seed % MERCHANTS), STRANGER, signedVersion[seed % MERCHANTS] + 1), key);
        IRemitHub.DepositRefund memory item = refundOf(type(uint256).max, address(usdc), STRANGER, 1);
        item.signature = signed(item.refund, key);
        refund(item);
        vm.assertEq(fingerprint(), before, "a forgery moves nothing");
    }

    function changeTreasury(uint256 seed) public {
        uint256 m = seed % MERCHANTS;
        address treasury = address(uint160(0x77000000 + m * 16 + (seed >> 8) % 4));
        if (signedVersion[m] != 0) _oldConfig = entry(merchantOf(m), treasury, signedVersion[m]);
        configure(merchantOf(m), treasury, ++signedVersion[m]);
        _treasuries.push(treasury);
    }

    function toggleBlacklist(uint256 seed) external {
        if (usdc.isBlacklisted(COLLECTOR)) usdc.unBlacklist(COLLECTOR);
        else if (seed % 2 == 0) usdc.blacklist(COLLECTOR);
    }

    // What the invariants read

    function deposits() external view returns (address[] memory) {
        return _deposits;
    }

    function forwarders() external view returns (address[] memory) {
        return _forwarders;
    }

    function bothTokens() external view returns (address, address) {
        return (address(usdc), address(usdt));
    }

    function theHub() external view returns (address) {
        return address(hub);
    }

    function merchantOf(uint256 m) public pure returns (bytes16) {
        return bytes16(uint128(0xBEEF00 + m));
    }

    /// @dev Everyone who may hold money, each once.
    function holders() public view returns (address[] memory all) {
        all = new address[](_deposits.length + _forwarders.length + MERCHANTS * 4 + 3);
        uint256 n;
        for (uint256 i; i < _deposits.length; ++i) all[n++] = _deposits[i];
        for (uint256 i; i < _forwarders.length; ++i) all[n++] = _forwarders[i];
        for (uint256 m; m < MERCHANTS; ++m) {
            for (uint256 k; k < 4; ++k) all[n++] = address(uint160(0x77000000 + m * 16 + k));
        }
        (all[n], all[n + 1], all[n + 2]) = (COLLECTOR, RECIPIENT, vm.addr(PAYER_KEY));
    }

    function balance(address token, address account) public view returns (uint256) {
        return token == address(usdc) ? usdc.balanceOf(account) : usdt.balanceOf(account);
    }

    /// @dev An invoice's terms; every third one names its own recipient.
    function invoice(uint256 m, uint256 i) private pure returns (IRemitHub.Sweep memory item) {
        item.merchantId = merchantOf(m);
        item.invoiceId = bytes16(uint128(0x100 + i));
        if (i == 2) item.recipient = RECIPIENT;
        item.maxFee = MAX_FEE * i;
    }

    function anySweep(uint256 seed) private view returns (IRemitHub.Sweep memory item) {
        uint256 m = seed % MERCHANTS;
        item = invoice(m, (seed >> 4) % INVOICES);
        item.token = seed & 256 == 0 ? address(usdc) : address(usdt);
        item.version = signedVersion[m];
        item.deploys = depositOf(item).code.length == 0;
    }

    /// @dev All balances and the registry, in one word.
    function fingerprint() private view returns (bytes32 print) {
        address[] memory all = holders();
        for (uint256 i; i < all.length; ++i) {
            print = keccak256(
                abi.encode(print, usdc.balanceOf(all[i]), usdt.balanceOf(all[i]))
            );
        }
        for (uint256 m; m < MERCHANTS; ++m) {
            print = keccak256(
                abi.encode(print, treasuryOf(merchantOf(m)), versionOf(merchantOf(m)))
            );
        }
    }
}
