// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "../../stand-ins/TestUSDC.sol";
import {TokenProxy} from "../../doubles/Tokens.sol";
import {HubTest} from "../../support/HubTest.sol";
import {Signing} from "../../support/Signing.sol";

/// @notice A hub as it is deployed for live money, and an attacker's means.
/// @dev    Delays, limit and roles are the defaults of a live deployment: the owner's powers wait two
///         days, another treasury one, and 1,000 USDC a day may be refunded. The token is behind a
///         proxy, as Circle's is.
abstract contract LiveHub is HubTest {
    address internal constant THIEF = STRANGER;
    address internal constant CUSTOMER = address(0xC057);

    bytes16 internal constant NEW_MERCHANT = OTHER_MERCHANT;
    uint232 internal constant LIMIT = REFUND_LIMIT;

    uint256 private _refundIds;

    function setUp() public virtual override {
        super.setUp();
        usdc = TestUSDC(address(new TokenProxy(address(new TestUSDC()))));
        usdc.initialize("USDC", "USDC", "2", address(this));
        list(address(usdc));
        harden();
        vm.prank(OWNER);
        hub.setToken(address(0), false, 18, 0);
    }

    // The registry

    function configure(IRemitHub.MerchantConfig memory config) internal {
        configure(config, packed(CONFIG_KEY, Signing.config(config, address(hub))));
    }

    // Deposits

    /// @dev A deploying sweep of one of MERCHANT's invoices to its treasury.
    function sweepOf(bytes16 invoiceId, address token, uint256 amount, uint256 fee)
        internal
        pure
        returns (IRemitHub.Sweep memory item)
    {
        item = sweepOf(token, amount, fee);
        item.invoiceId = invoiceId;
    }

    function depositOf(bytes16 invoiceId) internal view returns (address) {
        return hub.depositAddress(MERCHANT, invoiceId, address(0), MAX_FEE);
    }

    // Forwarders

    function distribute(address caller, address token, bytes16 merchantId, uint32 version)
        internal
    {
        IRemitHub.Distribution[] memory items = distributionOf(merchantId, version);
        vm.prank(caller);
        hub.distribute(token, items, plenty());
    }

    // Refunds

    /// @dev An order with the next number, out of one of MERCHANT's deposits, signed with any key.
    function refundBy(uint256 key, bytes16 invoiceId, address token, address to, uint256 amount)
        internal
        returns (IRemitHub.DepositRefund memory item)
    {
        item = refundOf(++_refundIds, token, to, amount);
        item.invoiceId = invoiceId;
        item.refund.source = depositOf(invoiceId);
        item.signature = signed(item.refund, key);
    }

    /// @dev The same out of MERCHANT's forwarder, signed with the refund key.
    function rescueTo(address token, address to, uint256 amount)
        internal
        returns (IRemitHub.ForwarderRescue memory item)
    {
        return rescueOf(++_refundIds, token, to, amount);
    }

    // The owner

    /// @dev Proposes a call and waits until it is ripe.
    function proposeAndWait(bytes memory call) internal {
        vm.prank(OWNER);
        hub.propose(call);
        vm.warp(hub.readyAt(keccak256(call)));
    }

    /// @dev Sends a call to the hub, and expects it to revert with exactly this error.
    function expectRefused(address caller, bytes memory call, bytes memory reason) internal {
        vm.prank(caller);
        (bool ok, bytes memory answer) = address(hub).call(call);
        vm.assertFalse(ok, "it is refused");
        vm.assertEq(answer, reason, "the reason");
    }
}
