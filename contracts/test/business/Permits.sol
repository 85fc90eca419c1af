// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {Payments} from "./Payments.sol";

/// @notice The payer pays by Permit2, through both x402 proxies.
abstract contract Permits is Payments {
    uint256 public permits;

    IRemitHub.PermitPayment private _old;

    /// @dev An operator decides how much of it is paid, up to what was permitted.
    function settleUpto(uint256 seed, uint256 permitted, uint256 amount) external {
        permitted = within(permitted, 1, 1e9);
        amount = within(amount, 0, permitted + permitted / 8);
        forwarder = forwarders[seed % MERCHANTS];
        bool isGood = amount != 0 && amount <= permitted;
        _settle(UPTO, uptoOf(permitted, amount, ++count), isGood);
    }

    function settleExact(uint256 seed, uint256 amount) external {
        amount = within(amount, 1, 1e9);
        forwarder = forwarders[seed % MERCHANTS];
        IRemitHub.PermitPayment memory item = exactOf(amount, ++count);
        bool isGood = seed >> 8 & 3 != 0;
        if (!isGood) item.amount -= 1;
        _settle(EXACT, item, isGood);
    }

    /// @dev What the payer did not sign: another payee, more, another facilitator; and who may not.
    function forgePermit(uint256 seed, uint256 amount) external {
        amount = within(amount, 1, 1e9);
        forwarder = forwarders[seed % MERCHANTS];
        IRemitHub.PermitPayment memory item = uptoOf(amount, amount, ++count);
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](1);
        items[0] = item;
        bytes memory call = abi.encodeCall(hub.settleUpto, (items, PERMIT_GAS));
        vm.assertFalse(tryAs(STRANGER, call), "operators only");
        if (seed >> 8 & 1 == 0) item.to = STRANGER;
        else item.permitted += 1;
        _settle(UPTO, item, false);
        item = paymentOf(amount, amount, count);
        item.signature = signedFor(UPTO, STRANGER, item);
        _settle(UPTO, item, false);
    }

    function replayPermit() internal {
        if (_old.permitted != 0) _send(EXACT, _old);
    }

    function _settle(address proxy, IRemitHub.PermitPayment memory item, bool isGood) private {
        uint256 held = usdc.balanceOf(item.from);
        uint256 received = usdc.balanceOf(item.to);
        _send(proxy, item);
        uint256 paid = isGood ? item.amount : 0;
        vm.assertEq(held - usdc.balanceOf(item.from), paid, "what the payer allowed");
        vm.assertEq(usdc.balanceOf(item.to) - received, paid, "to whom the payer named");
        if (!isGood) return;
        if (proxy == EXACT) _old = item;
        ++permits;
    }

    function _send(address proxy, IRemitHub.PermitPayment memory item) private {
        IRemitHub.PermitPayment[] memory items = new IRemitHub.PermitPayment[](1);
        items[0] = item;
        vm.prank(roles.operator);
        if (proxy == UPTO) hub.settleUpto(items, PERMIT_GAS);
        else hub.settleExact(items, PERMIT_GAS);
    }
}
