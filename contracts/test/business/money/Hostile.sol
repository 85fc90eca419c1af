// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {BombToken, RebasingToken} from "../../attacks/support/HostileTokens.sol";
import {
    BurningToken,
    FalseToken,
    HungryToken,
    LongReasonToken,
    ReentrantToken,
    SpoiledToken,
    TaxedToken
} from "../../doubles/Tokens.sol";
import {Stops} from "../Stops.sol";

/// @notice Tokens that lie, call back, burn gas or change balances, listed by mistake.
///         The items of good tokens beside them are paid, and nothing else of these moves.
abstract contract Hostile is Stops {
    uint256 private constant KINDS = 10;

    SpoiledToken[] private _hostile;
    BombToken private _bomb;
    RebasingToken private _rebasing;
    ReentrantToken private _reentrant;

    constructor() {
        _bomb = new BombToken();
        _rebasing = new RebasingToken();
        _reentrant = new ReentrantToken();
        _hostile.push(new TaxedToken());
        _hostile.push(new FalseToken());
        _hostile.push(new LongReasonToken());
        _hostile.push(new BurningToken(treasury(0, 0)));
        _hostile.push(new BurningToken(COLLECTOR));
        _hostile.push(new BurningToken(RECIPIENT));
        _hostile.push(new HungryToken(treasury(1, 0)));
        _hostile.push(_bomb);
        _hostile.push(_rebasing);
        _hostile.push(_reentrant);
        for (uint256 i; i < KINDS; ++i) {
            list(address(_hostile[i]));
        }
    }

    /// @dev Between two good sweeps of other deposits.
    function sweepHostile(uint256 seed, uint256 amount) external {
        SpoiledToken token = _pay(seed, amount);
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        uint256 m = seed % MERCHANTS;
        for (uint256 i; i < 3; ++i) {
            items[i] = anySweep(seed);
            items[i].invoiceId = bytes16(uint128(0x100 + i));
            items[i].maxFee = MAX_FEE * i;
            items[i].recipient = address(0);
            items[i].token = address(usdc);
            items[i].amount = usdc.balanceOf(depositOf(items[i]));
            items[i].deploys = depositOf(items[i]).code.length == 0;
        }
        items[1].token = address(token);
        items[1].amount = token.balanceOf(depositOf(items[1]));
        if (items[1].deploys && items[1].amount > MAX_FEE) {
            items[1].fee = within(amount, 0, MAX_FEE);
        }
        uint256 kept = usdc.balanceOf(depositOf(items[1]));
        uint256 expected = usdc.balanceOf(treasuries[m]);
        if (mayPass(items[0])) expected += items[0].amount + items[2].amount;
        sweepAs(roles.operator, items);
        vm.assertEq(usdc.balanceOf(treasuries[m]), expected, "the good ones are paid");
        vm.assertEq(
            usdc.balanceOf(depositOf(items[1])), kept, "not out of the hostile one's deposit"
        );
        checkFeesOf(depositOf(items[1]));
    }

    /// @dev Refunded, rescued and distributed.
    function moveHostile(uint256 seed, uint256 amount) external {
        SpoiledToken token = _pay(seed, amount);
        uint256 m = seed % MERCHANTS;
        bytes32 before = fingerprint();
        IRemitHub.DepositRefund memory item = anyRefund(seed);
        item.refund.token = address(token);
        item.refund.amount = within(amount, 1, token.balanceOf(item.refund.source) + 1);
        item.signature = signed(item.refund, roles.refundKey);
        refund(item);
        refund(item);
        token.mint(forwarders[m], within(amount, 1, 1e9));
        distribute(address(token), m);
        vm.assertEq(fingerprint(), before, "nothing of the good tokens moves");
    }

    function rebase(uint256 seed, uint256 percent) external {
        address account = holders[seed % holders.length];
        _rebasing.rebase(account, within(percent, 0, 300));
    }

    function distribute(address token, uint256 m) private {
        vm.prank(roles.operator);
        hub.distribute(token, distributionOf(merchantOf(m), versions[m]), plenty());
    }

    /// @dev Any of them, with money of it in the deposits of the second invoice.
    function _pay(uint256 seed, uint256 amount) private returns (SpoiledToken token) {
        token = _hostile[(seed >> 130) % KINDS];
        IRemitHub.Sweep memory item = invoice(seed % MERCHANTS, 1);
        token.mint(depositOf(item), within(amount, 1, 1e9));
        if (token == _bomb) _bomb.set(seed >> 140 & 1 == 0);
        if (token == _reentrant) _reentrant.reenter(address(hub), _callBack(seed));
    }

    /// @dev What a token may try from within a transfer.
    function _callBack(uint256 seed) private view returns (bytes memory) {
        uint256 kind = (seed >> 141) % 6;
        IRemitHub.Sweep memory item = anySweep(seed);
        item.amount = balance(item.token, depositOf(item));
        if (kind == 0) return abi.encodeCall(hub.sweep, (batch(item), plenty()));
        if (kind == 1) return abi.encodeCall(hub.sweepItem, (item, 0, 0));
        uint256 m = seed % MERCHANTS;
        IRemitHub.Distribution[] memory items = distributionOf(merchantOf(m), versions[m]);
        if (kind == 2) return abi.encodeCall(hub.distribute, (address(usdc), items, plenty()));
        if (kind == 3) return abi.encodeCall(hub.deployForwarder, (merchantOf(m)));
        if (kind == 4) return abi.encodeCall(hub.resume, (255));
        IRemitHub.DepositRefund[] memory old = new IRemitHub.DepositRefund[](1);
        if (oldRefunds.length != 0) old[0] = oldRefunds[seed % oldRefunds.length];
        return abi.encodeCall(hub.refund, (old, 50_000));
    }
}
