// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {RemitHub} from "../../src/RemitHub.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "../../src/tokens/TestUSDC.sol";
import {TestUSDT} from "../../src/tokens/TestUSDT.sol";
import {Signing} from "./Signing.sol";
import {Test} from "./Test.sol";

/// @notice A hub with one configured merchant, both tokens, and the roles' keys.
abstract contract HubTest is Test {
    uint256 internal constant CONFIG_KEY = 0xC0F1;
    uint256 internal constant REFUND_KEY = 0x4EF0;
    uint256 internal constant PAYER_KEY = 0x9A7E4;

    address internal constant OWNER = address(0x0111);
    address internal constant COLLECTOR = address(0xFEE5);
    address internal constant RELAYER = address(0x4E1A);
    address internal constant STRANGER = address(0xBAD);
    address internal constant TREASURY = address(0x7EA5);
    address internal constant RECIPIENT = address(0x4EC1);

    bytes16 internal constant MERCHANT = bytes16(uint128(0xA1));
    bytes16 internal constant OTHER_MERCHANT = bytes16(uint128(0xA2));
    bytes16 internal constant INVOICE = bytes16(uint128(0x1A));
    uint256 internal constant MAX_FEE = 5e6;
    uint16 internal constant FEE_BPS = 100;
    uint48 internal constant FEE_CAP = 50e6;

    RemitHub internal hub;
    TestUSDC internal usdc;
    TestUSDT internal usdt;

    function setUp() public virtual {
        usdc = new TestUSDC();
        usdc.initialize("USDC", "USDC", "2", address(this));
        vm.startPrank(address(this), address(this));
        usdt = new TestUSDT();
        vm.stopPrank();
        hub = new RemitHub(OWNER, vm.addr(CONFIG_KEY), vm.addr(REFUND_KEY), COLLECTOR, "sandbox");
        vm.prank(OWNER);
        hub.setOperator(RELAYER, true);
        configure(MERCHANT, TREASURY, 1);
    }

    // The registry

    function entry(bytes16 merchantId, address treasury, uint32 version)
        internal
        pure
        returns (IRemitHub.MerchantConfig memory)
    {
        return IRemitHub.MerchantConfig(merchantId, treasury, FEE_BPS, FEE_CAP, version);
    }

    function configure(bytes16 merchantId, address treasury, uint32 version) internal {
        configure(entry(merchantId, treasury, version), CONFIG_KEY);
    }

    function configure(IRemitHub.MerchantConfig memory config, uint256 key) internal {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](1);
        bytes[] memory signatures = new bytes[](1);
        configs[0] = config;
        signatures[0] = packed(key, Signing.config(config, address(hub)));
        hub.configure(configs, signatures);
    }

    // Sweeps

    function depositOf(IRemitHub.Sweep memory item) internal view returns (address) {
        return hub.depositAddress(item.merchantId, item.invoiceId, item.recipient, item.maxFee);
    }

    /// @dev A sweep of MERCHANT's INVOICE to the registry's treasury.
    function sweepOf(address token, uint256 amount, uint256 fee)
        internal
        pure
        returns (IRemitHub.Sweep memory)
    {
        return IRemitHub.Sweep(
            MERCHANT, INVOICE, address(0), MAX_FEE, token, amount, fee, 1
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

    function sweep(IRemitHub.Sweep memory item) internal {
        vm.prank(RELAYER);
        hub.sweep(batch(item));
    }

    /// @dev Sweeps, and expects the item to be refused with exactly this error.
    function expectSweepRefused(IRemitHub.Sweep memory item, bytes memory reason) internal {
        address deposit = depositOf(item);
        uint256 held = usdc.balanceOf(deposit);
        uint256 codeSize = deposit.code.length;
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(deposit, item.token, reason);
        sweep(item);
        vm.assertEq(usdc.balanceOf(deposit), held, "a refused sweep moves nothing");
        vm.assertEq(deposit.code.length, codeSize, "a refused sweep deploys nothing");
    }

    // Authorizations

    function authorization(bytes16 merchantId, uint256 value, bytes32 nonce)
        internal
        view
        returns (IRemitHub.Authorization memory item)
    {
        return authorization(PAYER_KEY, merchantId, value, nonce);
    }

    function authorization(uint256 key, bytes16 merchantId, uint256 value, bytes32 nonce)
        internal
        view
        returns (IRemitHub.Authorization memory item)
    {
        item.from = vm.addr(key);
        item.merchantId = merchantId;
        item.value = value;
        item.validBefore = block.timestamp + 1 hours;
        item.nonce = nonce;
        (item.v, item.r, item.s) = vm.sign(
            key, Signing.authorization(item, hub.forwarderAddress(merchantId), address(usdc))
        );
    }

    function batch(IRemitHub.Authorization memory item)
        internal
        pure
        returns (IRemitHub.Authorization[] memory items)
    {
        items = new IRemitHub.Authorization[](1);
        items[0] = item;
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
    function refundOf(bytes32 id, address token, address to, uint256 amount)
        internal
        view
        returns (IRemitHub.DepositRefund memory item)
    {
        item.merchantId = MERCHANT;
        item.invoiceId = INVOICE;
        item.maxFee = MAX_FEE;
        address source = hub.depositAddress(MERCHANT, INVOICE, address(0), MAX_FEE);
        item.refund =
            IRemitHub.Refund(id, source, token, to, amount, block.timestamp + 1 hours);
        item.signature = signed(item.refund, REFUND_KEY);
    }

    function rescueOf(bytes32 id, address token, address to, uint256 amount)
        internal
        view
        returns (IRemitHub.ForwarderRescue memory item)
    {
        item.merchantId = MERCHANT;
        item.refund = IRemitHub.Refund(
            id, hub.forwarderAddress(MERCHANT), token, to, amount, block.timestamp + 1 hours
        );
        item.signature = signed(item.refund, REFUND_KEY);
    }

    function signed(IRemitHub.Refund memory order, uint256 key)
        internal
        view
        returns (bytes memory)
    {
        return packed(key, Signing.refund(order, address(hub), block.chainid));
    }

    function refund(IRemitHub.DepositRefund memory item) internal {
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](1);
        items[0] = item;
        hub.refund(items);
    }

    function rescue(IRemitHub.ForwarderRescue memory item) internal {
        IRemitHub.ForwarderRescue[] memory items = new IRemitHub.ForwarderRescue[](1);
        items[0] = item;
        hub.rescue(items);
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

    // Signatures and reasons

    function packed(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev A reason in words, as tokens give it.
    function words(string memory reason) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("Error(string)", reason);
    }
}
