// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HubTest} from "./support/HubTest.sol";
import {Signing} from "./support/Signing.sol";

contract ConfigureTest is HubTest {
    function test_anyone_may_carry_a_signed_entry() public {
        IRemitHub.MerchantConfig memory config = entry(OTHER_MERCHANT, RECIPIENT, 7);
        vm.expectEmit(address(hub));
        emit IRemitHub.MerchantConfigured(OTHER_MERCHANT, RECIPIENT, FEE_BPS, FEE_CAP, 7);
        configure(config, CONFIG_KEY);
        (address treasury, uint16 feeBps, uint40 feeCap, uint32 version,) =
            hub.merchants(OTHER_MERCHANT);
        vm.assertEq(treasury, RECIPIENT, "treasury");
        vm.assertEq(feeBps, FEE_BPS, "feeBps");
        vm.assertEq(feeCap, FEE_CAP, "feeCap");
        vm.assertEq(version, 7, "version");
    }

    function test_one_signature_serves_every_chain() public {
        IRemitHub.MerchantConfig memory config = entry(OTHER_MERCHANT, RECIPIENT, 1);
        vm.chainId(8453);
        configure(config, CONFIG_KEY);
        vm.assertEq(versionOf(OTHER_MERCHANT), 1, "version");
    }

    function testFuzz_only_the_configuration_key_signs(uint256 key) public {
        key = within(key, 1, type(uint128).max);
        vm.assume(key != CONFIG_KEY);
        expectConfigureRefused(
            entry(MERCHANT, STRANGER, 2),
            key,
            abi.encodeWithSelector(
                IHubErrors.BadSignature.selector, vm.addr(CONFIG_KEY)
            )
        );
    }

    function test_a_signature_for_another_hub_is_refused() public {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](1);
        bytes[] memory signatures = new bytes[](1);
        configs[0] = entry(MERCHANT, STRANGER, 2);
        signatures[0] = packed(CONFIG_KEY, Signing.config(configs[0], address(usdc)));
        hub.configure(configs, signatures);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "unchanged");
    }

    function testFuzz_a_malformed_signature_is_refused(bytes calldata signature) public {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](1);
        bytes[] memory signatures = new bytes[](1);
        configs[0] = entry(MERCHANT, STRANGER, 2);
        signatures[0] = signature;
        hub.configure(configs, signatures);
        vm.assertEq(treasuryOf(MERCHANT), TREASURY, "unchanged");
    }

    function testFuzz_versions_only_grow(uint32 first, uint32 second) public {
        first = uint32(within(first, 1, 1_000));
        second = uint32(within(second, 0, first + 1_000));
        configure(OTHER_MERCHANT, TREASURY, first);
        if (second <= first) {
            expectConfigureRefused(
                entry(OTHER_MERCHANT, RECIPIENT, second),
                CONFIG_KEY,
                abi.encodeWithSelector(IHubErrors.StaleVersion.selector, second, first)
            );
        } else {
            configure(OTHER_MERCHANT, RECIPIENT, second);
        }
        bool isNewer = second > first;
        vm.assertEq(versionOf(OTHER_MERCHANT), isNewer ? second : first, "the newer version");
        vm.assertEq(treasuryOf(OTHER_MERCHANT), isNewer ? RECIPIENT : TREASURY, "its treasury");
    }

    function testFuzz_a_version_too_far_ahead_is_refused(uint32 first, uint32 second) public {
        first = uint32(within(first, 1, 1_000));
        second = uint32(within(second, first + 1_001, type(uint32).max));
        configure(OTHER_MERCHANT, TREASURY, first);
        expectConfigureRefused(
            entry(OTHER_MERCHANT, TREASURY, second),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.VersionTooFarAhead.selector, second, first)
        );
        configure(OTHER_MERCHANT, TREASURY, first + 1_000);
        vm.assertEq(versionOf(OTHER_MERCHANT), first + 1_000, "a thousand is not too far");
    }

    function test_version_zero_means_no_entry_and_cannot_be_set() public {
        expectConfigureRefused(
            entry(OTHER_MERCHANT, RECIPIENT, 0),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.StaleVersion.selector, 0, 0)
        );
    }

    function test_a_treasury_that_could_not_receive_is_refused() public {
        expectConfigureRefused(
            entry(MERCHANT, address(0), 2),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.ZeroAddress.selector)
        );
        expectConfigureRefused(
            entry(MERCHANT, address(hub), 2),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.HubAsReceiver.selector, address(hub))
        );
    }

    function test_a_merchants_own_forwarder_is_no_treasury() public {
        address forwarder = hub.forwarderAddress(MERCHANT);
        expectConfigureRefused(
            entry(MERCHANT, forwarder, 2),
            CONFIG_KEY,
            abi.encodeWithSelector(IHubErrors.TreasuryIsForwarder.selector, forwarder)
        );
    }

    function testFuzz_a_rate_above_ten_percent_is_refused(uint16 feeBps) public {
        feeBps = uint16(within(feeBps, hub.MAX_FEE_BPS() + 1, type(uint16).max));
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, TREASURY, 2);
        config.feeBps = feeBps;
        expectConfigureRefused(
            config,
            CONFIG_KEY,
            abi.encodeWithSelector(
                IHubErrors.FeeRateAboveCap.selector, feeBps, hub.MAX_FEE_BPS()
            )
        );
    }

    function test_a_bad_item_leaves_the_others_alone() public {
        IRemitHub.MerchantConfig[] memory configs = new IRemitHub.MerchantConfig[](3);
        bytes[] memory signatures = new bytes[](3);
        for (uint256 i; i < 3; ++i) {
            configs[i] = entry(bytes16(uint128(0xB0 + i)), RECIPIENT, 1);
            uint256 key = i == 1 ? REFUND_KEY : CONFIG_KEY;
            signatures[i] = packed(key, Signing.config(configs[i], address(hub)));
        }
        hub.configure(configs, signatures);
        for (uint256 i; i < 3; ++i) {
            vm.assertEq(versionOf(configs[i].merchantId), i == 1 ? 0 : 1, "version");
        }
    }

    function test_items_and_signatures_must_pair() public {
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.LengthMismatch.selector, 2, 1));
        hub.configure(new IRemitHub.MerchantConfig[](2), new bytes[](1));
    }

    function test_an_entry_takes_one_storage_slot() public view {
        // The mapping's own slot is searched for, so that the test does not depend on the layout.
        uint256 found;
        for (uint256 slot; slot < 24; ++slot) {
            bytes32 at = keccak256(abi.encode(MERCHANT, slot));
            uint256 word = uint256(vm.load(address(hub), at));
            if (word == 0) continue;
            ++found;
            uint256 expected = uint256(uint160(TREASURY)) | uint256(FEE_BPS) << 160
                | uint256(FEE_CAP) << 176 | uint256(1) << 216;
            vm.assertEq(word, expected, "all fields");
        }
        vm.assertEq(found, 1, "one slot");
    }
}
