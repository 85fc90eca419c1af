// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "../stand-ins/TestUSDC.sol";
import {TestUSDT} from "../stand-ins/TestUSDT.sol";
import {Hub} from "./Hub.sol";
import {Signing} from "./Signing.sol";
import {Test} from "./Test.sol";

/// @notice A hub with one configured merchant, both tokens, and the roles' keys. Its delays are zero
///         and its refunds unlimited, as on a local chain, until a test calls `harden`.
abstract contract HubSetup is Test {
    uint256 internal constant CONFIG_KEY = 0xC0F1;
    uint256 internal constant REFUND_KEY = 0x4EF0;
    uint256 internal constant PAYER_KEY = 0x9A7E4;

    address internal constant OWNER = address(0x0111);
    address internal constant GUARDIAN = address(0x64A4);
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
    uint40 internal constant FEE_CAP = 50e6;

    uint32 internal constant OWNER_DELAY = 48 hours;
    uint32 internal constant CONFIG_DELAY = 24 hours;
    uint232 internal constant UNLIMITED = type(uint232).max;
    uint232 internal constant REFUND_LIMIT = 1_000e6;

    uint256 internal constant ITEM_GAS = 350_000;
    uint256 internal constant AUTHORIZATION_GAS = 150_000;

    Hub internal hub;
    TestUSDC internal usdc;
    TestUSDT internal usdt;

    function setUp() public virtual {
        usdc = new TestUSDC();
        usdc.initialize("USDC", "USDC", "2", address(this));
        usdt = new TestUSDT();
        hub = newHub("sandbox");
        vm.startPrank(OWNER);
        hub.setConfigSigner(vm.addr(CONFIG_KEY));
        hub.setRefundSigner(vm.addr(REFUND_KEY));
        hub.setGuardian(GUARDIAN);
        hub.setFeeCollector(COLLECTOR);
        hub.setOperator(RELAYER, true);
        hub.setToken(address(usdc), true, 6, UNLIMITED);
        hub.setToken(address(usdt), true, 6, UNLIMITED);
        hub.setToken(address(0), false, 18, UNLIMITED);
        vm.stopPrank();
        configure(MERCHANT, TREASURY, 1);
    }

    function newHub(bytes32 environment) internal returns (Hub) {
        return Hub(vm.deployCode("RemitHub.sol:RemitHub", abi.encode(OWNER, environment)));
    }

    /// @dev Delays and limits as on a live chain.
    function harden() internal {
        vm.startPrank(OWNER);
        hub.setToken(address(usdc), true, 6, REFUND_LIMIT);
        hub.setToken(address(usdt), true, 6, REFUND_LIMIT);
        hub.setToken(address(0), false, 18, 1 ether);
        hub.setDelays(OWNER_DELAY, CONFIG_DELAY);
        vm.stopPrank();
    }

    /// @dev Lists a token of 6 decimals, while there is no delay.
    function list(address token) internal {
        vm.prank(OWNER);
        hub.setToken(token, true, 6, UNLIMITED);
    }

    // The owner's delay

    /// @dev Sends a call as its owner does: proposes it, waits, and sends it.
    function proposeAndExecute(bytes memory data) internal {
        vm.prank(OWNER);
        hub.propose(data);
        vm.warp(hub.readyAt(keccak256(data)));
        asOwner(data);
    }

    function asOwner(bytes memory data) internal {
        vm.prank(OWNER);
        (bool ok, bytes memory reason) = address(hub).call(data);
        if (ok) return;
        assembly {
            revert(add(reason, 0x20), mload(reason))
        }
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
        configure(config, packed(key, Signing.config(config, address(hub))));
    }

    function configure(IRemitHub.MerchantConfig memory config, bytes memory signature) internal {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](1);
        bytes[] memory signatures = new bytes[](1);
        (configs[0], signatures[0]) = (config, signature);
        hub.configure(configs, signatures);
    }

    function expectConfigureRefused(
        IRemitHub.MerchantConfig memory config,
        uint256 key,
        bytes memory reason
    ) internal {
        vm.expectEmit(address(hub));
        emit IRemitHub.ConfigureFailed(config.merchantId, config.version, reason);
        configure(config, key);
    }

    function treasuryOf(bytes16 merchantId) internal view returns (address treasury) {
        (treasury,,,,) = hub.merchants(merchantId);
    }

    function versionOf(bytes16 merchantId) internal view returns (uint32 version) {
        (,,, version,) = hub.merchants(merchantId);
    }

    function isChanging(bytes16 merchantId) internal view returns (bool changing) {
        (,,,, changing) = hub.merchants(merchantId);
    }

    // Signatures and reasons

    function packed(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The encoded error for a stop.
    function stopped(uint8 what) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(IHubErrors.IsStopped.selector, what);
    }

    /// @dev A reason in words, as tokens give it.
    function words(string memory reason) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("Error(string)", reason);
    }
}
