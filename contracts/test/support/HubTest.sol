// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {HubSetup} from "./HubSetup.sol";
import {Signing} from "./Signing.sol";

/// @notice Makes and sends the items of every operation.
abstract contract HubTest is HubSetup {
    // Sweeps

    /// @dev Plenty for each leg.
    function plenty() internal pure returns (IRemitHub.Gas memory) {
        return IRemitHub.Gas(ITEM_GAS, 100_000, 60_000);
    }

    function depositOf(IRemitHub.Sweep memory item) internal view returns (address) {
        return hub.depositAddress(item.merchantId, item.invoiceId, item.recipient, item.maxFee);
    }

    /// @dev A sweep of MERCHANT's INVOICE to the registry's treasury, deploying.
    function sweepOf(address token, uint256 amount, uint256 fee)
        internal
        pure
        returns (IRemitHub.Sweep memory)
    {
        return IRemitHub.Sweep(
            MERCHANT, INVOICE, address(0), MAX_FEE, token, amount, fee, 0, 1, true
        );
    }

    function batch(IRemitHub.Sweep memory item)
        internal
        pure
        returns (IRemitHub.Sweep[] memory items)
    {
        items = new IRemitHub.Sweep[](1);
        items[0] = item;
    }

    /// @dev Sweeps, with `deploys` as it is right.
    function sweep(IRemitHub.Sweep memory item) internal {
        item.deploys = depositOf(item).code.length == 0;
        sweepAsItIs(item);
    }

    function sweepAsItIs(IRemitHub.Sweep memory item) internal {
        sweepAll(batch(item));
    }

    function sweepAll(IRemitHub.Sweep[] memory items) internal {
        vm.prank(RELAYER);
        hub.sweep(items, plenty());
    }

    /// @dev Sweeps, and expects the item to be refused with exactly this error.
    function expectSweepRefused(IRemitHub.Sweep memory item, bytes memory reason) internal {
        item.deploys = depositOf(item).code.length == 0;
        expectSweepRefusedAsItIs(item, reason);
    }

    function expectSweepRefusedAsItIs(IRemitHub.Sweep memory item, bytes memory reason) internal {
        address deposit = depositOf(item);
        uint256 held = usdc.balanceOf(deposit);
        uint256 codeSize = deposit.code.length;
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(deposit, item.token, reason);
        sweepAsItIs(item);
        vm.assertEq(usdc.balanceOf(deposit), held, "a refused sweep moves nothing");
        vm.assertEq(deposit.code.length, codeSize, "a refused sweep deploys nothing");
    }

    // Authorizations and distributions

    /// @dev In favour of a merchant's forwarder.
    function authorization(bytes16 merchantId, uint256 value, bytes32 nonce)
        internal
        view
        returns (IRemitHub.Authorization memory item)
    {
        return authorization(PAYER_KEY, hub.forwarderAddress(merchantId), value, nonce);
    }

    function authorization(uint256 key, address to, uint256 value, bytes32 nonce)
        internal
        view
        returns (IRemitHub.Authorization memory item)
    {
        item.from = vm.addr(key);
        item.to = to;
        item.value = value;
        item.validBefore = block.timestamp + 1 hours;
        item.nonce = nonce;
        (item.v, item.r, item.s) = vm.sign(key, Signing.authorization(item, address(usdc)));
    }

    function batch(IRemitHub.Authorization memory item)
        internal
        pure
        returns (IRemitHub.Authorization[] memory items)
    {
        items = new IRemitHub.Authorization[](1);
        items[0] = item;
    }

    /// @dev Settles as a stranger: anyone may.
    function settle(IRemitHub.Authorization memory item) internal {
        settleAll(batch(item));
    }

    function settleAll(IRemitHub.Authorization[] memory items) internal {
        vm.prank(STRANGER);
        hub.settle(address(usdc), items, AUTHORIZATION_GAS, noDistributions(), plenty());
    }

    /// @dev Settles as a relayer, who may distribute.
    function settleAndDistribute(
        IRemitHub.Authorization[] memory items,
        IRemitHub.Distribution[] memory distributions
    ) internal {
        vm.prank(RELAYER);
        hub.settle(address(usdc), items, AUTHORIZATION_GAS, distributions, plenty());
    }

    function distribute(address token, IRemitHub.Distribution[] memory distributions) internal {
        vm.prank(RELAYER);
        hub.distribute(token, distributions, plenty());
    }

    function noDistributions() internal pure returns (IRemitHub.Distribution[] memory) {
        return new IRemitHub.Distribution[](0);
    }

    function distributionOf(bytes16 merchantId, uint32 version)
        internal
        pure
        returns (IRemitHub.Distribution[] memory items)
    {
        items = new IRemitHub.Distribution[](1);
        items[0] = IRemitHub.Distribution(merchantId, version);
    }

    // Refunds

    /// @dev A refund of MERCHANT's INVOICE (to the treasury's terms) with the refund key.
    function refundOf(uint256 id, address token, address to, uint256 amount)
        internal
        view
        returns (IRemitHub.DepositRefund memory item)
    {
        item.merchantId = MERCHANT;
        item.invoiceId = INVOICE;
        item.maxFee = MAX_FEE;
        address source = hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE);
        item.refund =
            IRemitHub.Refund(id, source, token, to, amount, 0, block.timestamp + 1 hours);
        item.signature = signed(item.refund, REFUND_KEY);
    }

    function rescueOf(uint256 id, address token, address to, uint256 amount)
        internal
        view
        returns (IRemitHub.ForwarderRescue memory item)
    {
        item.merchantId = MERCHANT;
        item.refund = IRemitHub.Refund(
            id, hub.forwarderAddress(MERCHANT), token, to, amount, 0, block.timestamp + 1 hours
        );
        item.signature = signed(item.refund, REFUND_KEY);
    }

    function digestOf(IRemitHub.Refund memory order) internal view returns (bytes32) {
        return Signing.refund(order, address(hub), block.chainid);
    }

    function signed(IRemitHub.Refund memory order, uint256 key)
        internal
        view
        returns (bytes memory)
    {
        return packed(key, digestOf(order));
    }

    function refund(IRemitHub.DepositRefund memory item) internal {
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](1);
        items[0] = item;
        hub.refund(items, ITEM_GAS);
    }

    function rescue(IRemitHub.ForwarderRescue memory item) internal {
        IRemitHub.ForwarderRescue[] memory items = new IRemitHub.ForwarderRescue[](1);
        items[0] = item;
        hub.rescue(items, ITEM_GAS);
    }

    function expectRefundRefused(IRemitHub.DepositRefund memory item, bytes memory reason)
        internal
    {
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(item.refund.refundId, reason);
        refund(item);
    }

    function expectRescueRefused(IRemitHub.ForwarderRescue memory item, bytes memory reason)
        internal
    {
        vm.expectEmit(address(hub));
        emit IRemitHub.RefundFailed(item.refund.refundId, reason);
        rescue(item);
    }
}
